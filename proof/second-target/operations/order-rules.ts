import type { Exchange } from '../exchange.ts';
import type { JsonObject } from '../json.ts';
import type { Program } from '../world.ts';

function loads(order: JsonObject, cards: JsonObject[]): boolean {
  return Number(order.totalValue ?? 0) > 0 || cards.some((card) => Number(card.amount ?? 0) > 0);
}

/** The order rules 3 to 5: what the options of the program allow and ask for. */
export function checkOptions(x: Exchange, program: Program, order: JsonObject, cards: JsonObject[]): void {
  x.refuseIf(order.cardType === 'Digital' && !program.digital, 'digital-off', 'cardType');
  if (loads(order, cards)) {
    x.refuseIf(!program.load, 'load-off', 'totalValue');
    x.refuseIf(!order.externalIdentifier, 'load-incomplete', 'externalIdentifier');
    x.refuseIf(!order.totalValue, 'load-incomplete', 'totalValue');
    x.refuseIf(!cards.every((card) => Number(card.amount) > 0), 'load-incomplete', 'amount');
    const marked = cards.every((card) => card.externalIdentifier);
    x.refuseIf(program.duplicateLoadChecker && !marked, 'load-incomplete', 'externalIdentifier');
  }
  x.refuseIf(program.otherInfoRequired && !cards.every((card) => card.otherInfo), 'other-info-missing', 'otherInfo');
}

function repeats(x: Exchange, known: string[], cards: JsonObject[], name: string): boolean {
  const seen = [...known];
  return cards.some((card) => {
    const value = card[name];
    if (!value) return false;
    const repeated = seen.some((other) => x.choices.isSame(other, String(value), x));
    seen.push(String(value));
    return repeated;
  });
}

/** The order rules 4 to 6: nothing that has to be unique is taken twice, neither over orders nor within one. */
export function checkDuplicates(x: Exchange, program: Program, order: JsonObject, cards: JsonObject[]): void {
  const external = order.externalIdentifier;
  const known = program.orderIdentifiers.some((other) => x.choices.isSame(other, String(external), x));
  x.refuseIf(!!external && known, 'order-duplicate', 'externalIdentifier');
  const otherInfo = program.otherInfoUnique && repeats(x, program.otherInfos, cards, 'otherInfo');
  x.refuseIf(otherInfo, 'other-info-duplicate', 'otherInfo');
  const checked = program.duplicateLoadChecker && loads(order, cards);
  const loaded = checked && repeats(x, program.loadIdentifiers, cards, 'externalIdentifier');
  x.refuseIf(loaded, 'load-duplicate', 'externalIdentifier');
}

/** Remembers what an order has used up. */
export function remember(program: Program, order: JsonObject, cards: JsonObject[]): void {
  const texts = (name: string) =>
    cards
      .map((card) => card[name])
      .filter(Boolean)
      .map(String);
  if (order.externalIdentifier) program.orderIdentifiers.push(String(order.externalIdentifier));
  program.otherInfos.push(...texts('otherInfo'));
  if (loads(order, cards)) program.loadIdentifiers.push(...texts('externalIdentifier'));
}
