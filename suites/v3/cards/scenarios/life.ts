/** Leads cards through a life: steps, and transfers of which books are kept (readings 10, 27 and 28). */
import { succeeded } from '../../../../helpers/answer.ts';
import type { RequestOptions } from '../../../../helpers/call.ts';
import { amount, type CardState, isActive } from '../../../../helpers/cards/card-state.ts';
import type { Context } from '../../../../helpers/check.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import { amountRule, plainAmount } from '../../../shared/amounts.ts';
import type { Books } from '../money/books.ts';
import { acceptedForm, payment } from '../money/forms.ts';

/** The cards of a life, the third where the pool is large enough. */
export const PLACES = ['first', 'second', 'third'] as const;
export type Place = (typeof PLACES)[number];
/** Steps for an absent card are skipped. */
export type Cards = Partial<Record<Place, string>>;

/** `atOnce`: two simultaneous requests; `isUnread`: nothing is read of the card until it was asked to pay. */
interface Change {
  do: 'suspend' | 'unsuspend';
  card: Place;
  atOnce?: boolean;
  isUnread?: boolean;
}

/** `nth`: number of the {@link plainAmount}. */
interface Pay {
  do: 'pay';
  from: Place;
  to: Place;
  nth: number;
  members?: Record<string, unknown>;
}

export type Step = Change | Pay;

export const pay = (from: Place, to: Place, nth: number): Step => ({ do: 'pay', from, to, nth });

/** Leads cards through a life. @throws Inconclusive when it cannot go on */
export async function lead(
  t: Context,
  books: Books,
  cards: Cards,
  life: string,
  steps: readonly Step[],
): Promise<void> {
  const suspended = new Set<Place>();
  const unread = new Set<Place>();
  const changes: string[] = [];
  /** Suspends or unsuspends a card, whether that changes its state or not. */
  const change = async ({ do: action, card, atOnce = false, isUnread }: Change): Promise<void> => {
    const identifier = cards[card];
    if (identifier === undefined) return;
    const suspends = action === 'suspend';
    const isNew = suspended.has(card) !== suspends;
    const ask = (options: RequestOptions = {}) =>
      t.call(`cards.${action}`, { path: { identifier } }, { intent: 'refusable', ...options });
    // A change of state may cost something.
    await books.restart(identifier);
    const answers = await Promise.all(atOnce ? [ask({ atOnce }), ask({ atOnce })] : [ask()]);
    changes.push(`${action} the ${card} card${atOnce ? ' twice at the same moment' : ''}`);
    // A target may have a cool-down, so a step that should be accepted is repeated within the settle time.
    if (isNew && !answers.some(succeeded) && !succeeded(await t.eventually(() => ask(), succeeded)))
      inconclusive(`a life ends early: ${changes.at(-1)} is refused`);
    if (suspends) suspended.add(card);
    else suspended.delete(card);
    if (!isUnread) return read(card);
    unread.add(card);
    return t.settle();
  };
  const read = async (card: Place): Promise<void> => {
    const isRight = (state: CardState) => isActive(state) !== suspended.has(card);
    const state = await t.shown(() => t.state(cards[card]!), isRight);
    if (state.status === undefined) return t.settle();
    if (!isRight(state)) inconclusive(`a life ends early: the ${card} card is ${state.status}`);
  };
  /** Transfers between cards. A suspended card must pay nothing. */
  const transfer = async ({ from, to, nth, members }: Pay, step: number): Promise<void> => {
    const [source, target] = [cards[from], cards[to]];
    const stops = suspended.has(from);
    if (from === to || !source || !target || (!stops && suspended.has(to))) return;
    const cents = plainAmount(amountRule(t), nth);
    const taken = [...changes, `transfer ${amount(cents).toFixed(2)} from the ${from} card to the ${to}`];
    const row = {
      name: `step ${step} of ${life} (${taken.join(', ')})`,
      about: [stops ? 'cards.suspend.stops-payments' : 'cards.transfer.moves-amount'],
      movesNothing: stops,
      among: life,
    };
    const plain = acceptedForm(t)?.members ?? t.fixtures.cards?.transferBody;
    const sent = await books.send(row, async () => {
      if (!stops && (await books.balance(source)) < cents) inconclusive('the card has too little to pay with');
      const options = { intent: stops ? 'refusable' : 'valid' } as const;
      return [{ ...payment(source, target, cents, { ...plain, ...members }), options }];
    });
    // What it costs, too, is a fee; all cards are Active then.
    if (sent) books.control ??= () => payment(source, target, amountRule(t).least, plain);
  };
  const mayChange = ['cards.suspend', 'cards.unsuspend'].every((operation) => t.isInScope(operation));
  for (const [index, step] of steps.entries()) {
    if (step.do !== 'pay') {
      if (mayChange) await change(step);
      continue;
    }
    await transfer(step, index + 1);
    // Payments one after the other are explained together, save the first of a card of which nothing was read.
    if (steps[index + 1]?.do === 'pay' && unread.size === 0) continue;
    await books.check();
    for (const card of unread) await read(card);
    unread.clear();
  }
  for (const card of [...suspended]) await change({ do: 'unsuspend', card });
  await books.check({ late: true });
}
