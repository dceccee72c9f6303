/** What orders show together: repeated identifiers create nothing new (Order rules, 4 to 6; reading 44). */
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import { contradiction, type Known, nothing, type Shown } from '../../../helpers/evidence/monitor.ts';
import * as Bodies from './bodies.ts';
import * as Identifiers from './identifiers.ts';

/** Orders that were answered; what is refused for its session shows nothing about the order. */
const ordersIn = (history: readonly Answer[]) =>
  history.filter(({ operation: { id }, status }) => id === 'portal.orderCards' && status > 0 && status !== 401);
/** Whether a member was sent that identifies something. */
const isGiven = (value: unknown) => (typeof value === 'string' && value !== '') || typeof value === 'number';
/** The values of a member that identifies the cards of an order. */
const givenIn = (order: Answer, name: string): string[] =>
  Bodies.cardsIn(order)
    .map((card) => card[name])
    .filter(isGiven)
    .map(String);
const orderedOn = (order: Answer) => String(Bodies.orderIn(order)?.custProgId);
/** The orders on the program that the fixtures file gives under a key. */
function ordersOn(key: Bodies.ProgramKey, history: readonly Answer[], known: Known): Answer[] {
  const program = Bodies.programOf(known, key);
  return ordersIn(history).filter((order) => program && orderedOn(order) === String(program.custProgId));
}
/** Whether an order was answered before another was sent. */
const isBefore = (one: Answer, other: Answer) => one.answeredAt <= other.sentAt;

/**
 * Each order with the accepted ones before it, by what identifies it, also the first and the last of them; orders without any identify nothing. Of two at
 * the same moment the one that is refused may be answered first.
 */
function* repeated(
  orders: readonly Answer[],
  keysOf: (order: Answer) => readonly string[],
): Generator<{ order: Answer; earlier: [Answer, ...Answer[]]; ends: Set<Answer> }> {
  const accepted = new Map<string, Answer[]>();
  for (const order of orders.filter(succeeded))
    for (const key of keysOf(order)) accepted.set(key, [...(accepted.get(key) ?? []), order]);
  const beforeIn = (same: readonly Answer[], order: Answer) =>
    succeeded(order) ? same.slice(0, same.indexOf(order)) : same.filter(({ sentAt }) => sentAt < order.answeredAt);
  for (const order of orders) {
    const before = keysOf(order).flatMap((key) => beforeIn(accepted.get(key) ?? [], order));
    const [first, ...others] = [...new Set(before)];
    if (first) yield { order, earlier: [first, ...others], ends: new Set([first, others.at(-1) ?? first]) };
  }
}

/** An order repeats the externalIdentifier of accepted orders on its program, and creates nothing beside the first and the last of them. */
export function* ordersWithOneIdentifier(history: readonly Answer[]): Generator<Shown> {
  const keysOf = (order: Answer) => {
    const { externalIdentifier } = Bodies.orderIn(order) ?? {};
    return isGiven(externalIdentifier) ? [`${orderedOn(order)} ${externalIdentifier}`] : [];
  };
  for (const { order, ends } of repeated(ordersIn(history), keysOf))
    for (const first of ends)
      yield Identifiers.secondOrder(first, order, history, 'a second order with the same externalIdentifier');
}

/** Where duplicate loads are looked for, an order repeats the externalIdentifiers of cards in an accepted load. */
export function* loadsWithOneIdentifier(history: readonly Answer[], known: Known): Generator<Shown> {
  const loads = ordersOn('duplicateLoadChecker', history, known).filter((order) =>
    Bodies.isLoad(Bodies.orderIn(order)),
  );
  const identifiersIn = (order: Answer) => givenIn(order, 'externalIdentifier');
  for (const { order, ends } of repeated(loads, identifiersIn))
    for (const first of ends) {
      const isSame = identifiersIn(first).join() === identifiersIn(order).join();
      const what = 'a second load with the same externalIdentifier of a card';
      const message = 'a load with the externalIdentifier of one of several cards of an earlier order is accepted';
      if (isSame || !succeeded(order)) yield Identifiers.secondOrder(first, order, history, what);
      else yield contradiction([first, order], message, 'a refusal', `status ${order.status}`);
    }
}

/** Where otherInfo is unique, an order repeats that of cards in accepted orders, and creates no card for them. */
export function* ordersWithOneOtherInfo(history: readonly Answer[], known: Known): Generator<Shown> {
  const orders = ordersOn('uniqueOtherInfo', history, known);
  const infosIn = (order: Answer) => givenIn(order, 'otherInfo');
  const what = 'an order that repeats the otherInfo of an earlier one';
  for (const { order, earlier } of repeated(orders, infosIn)) {
    const [first] = earlier;
    // Of two at the same moment either may be the first.
    if (!isBefore(first, order)) {
      const [one, other] = [Identifiers.newCard([first], order, what), Identifiers.newCard([order], first, what)];
      yield one.shows === 'kept' ? one : { ...other, by: [first, order] };
      continue;
    }
    const before = orders.filter((one) => one !== order && succeeded(one) && isBefore(one, order));
    // The answer may show the existing card. Where the first order did not show that, the same order sent once more does.
    const isShown = Bodies.cardsIn(first).length === 1 && Identifiers.showsCard(first);
    const shared = infosIn(order);
    const alike = orders.filter((one) => one !== order && infosIn(one).some((info) => shared.includes(info)));
    const again = shared.filter((info) => earlier.some((one) => infosIn(one).includes(info)));
    const besides = Bodies.cardsIn(order).length - again.length;
    // Where it was sent only once, as at the end of a budget, that may be the card of the first.
    const isOpen = besides > 0 ? !Identifiers.showsCard(first) : !isShown && !alike.some(Identifiers.showsCard);
    yield isOpen && succeeded(order)
      ? nothing([first, order], 'nothing shows the card of the earlier order')
      : Identifiers.newCard([first, ...before, ...(isShown ? [] : alike)], order, what, besides);
  }
}
