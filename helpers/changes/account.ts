/** The account of a run: what it did to cards, money, orders and checks, by what was read and answered. */
import type { Account } from '../../contracts/record.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import { type Answer, identifiersIn, member, succeeded } from '../answer.ts';
import { amount, balanceIn } from '../cards/card-state.ts';
import type { CardPools } from '../cards/pools.ts';
import type { ChangeLog } from './change-log.ts';
import { CONSUMING } from './inverse.ts';
import type { MoneyAccount } from './money-account.ts';

type Cards = Account['cards'];
type Reading = Cards[number]['before'];

/** What a run knows of what it did. */
interface Parts {
  answers: readonly Answer[];
  changes: Pick<ChangeLog, 'facts'>;
  money: Pick<MoneyAccount, 'moved' | 'missing'>;
  pools: Pick<CardPools, 'poolOf'>;
  redactor: Pick<Redactor, 'text'>;
}

/** The account of a run so far. */
export function accountOf({ answers, changes, money, pools, redactor }: Parts): Account {
  const { cents, transfers } = money.moved;
  const named = (identifiers: Iterable<string>) => [...identifiers].map((one) => redactor.text(one));
  const consumed = answers.filter((answer) => CONSUMING.includes(answer.operation.id) && succeeded(answer));
  const accepted = (operation: string) => changes.facts().find((one) => one.operation === operation)?.accepted ?? 0;
  return {
    cards: changedCards(answers).map(({ identifier, ...card }) => {
      const pool = pools.poolOf(identifier);
      return { identifier: redactor.text(identifier), ...(pool && { pool }), ...card };
    }),
    money: { transfers, moved: inUnits(cents), missing: inUnits(money.missing) },
    orders: accepted('portal.orderCards'),
    cipChecks: accepted('portal.getCIPCheck'),
    usedUp: named(new Set(consumed.flatMap(({ input }) => input.path?.identifier ?? []))),
    changes: changes.facts(),
  };
}

const inUnits = (inCents: number): number => amount(Math.round(inCents));

/** Cards as first and as last read: those that an accepted request changed, and those that changed meanwhile. */
function changedCards(answers: readonly Answer[]): Pick<Cards[number], 'identifier' | 'before' | 'after'>[] {
  const cards = new Map<string, { before: Reading; after: Reading; isNamed: boolean }>();
  for (const answer of answers) {
    const { operation, input } = answer;
    if (!operation.id.startsWith('cards.') || !succeeded(answer)) continue;
    const isChange = operation.risk !== 'safe';
    for (const identifier of isChange ? identifiersIn(input) : [input.path?.identifier ?? '']) {
      const card = cards.get(identifier) ?? { before: {}, after: {}, isNamed: false };
      cards.set(identifier, card);
      if (isChange) Object.assign(card, { after: {}, isNamed: true });
      const read = readingIn(answer);
      card.before = { ...read, ...card.before };
      card.after = { ...card.after, ...read };
    }
  }
  const isChanged = ({ before, after }: { before: Reading; after: Reading }) =>
    (['status', 'balance'] as const).some((name) => after[name] !== undefined && after[name] !== before[name]);
  return [...cards]
    .filter(([identifier, card]) => identifier !== '' && (card.isNamed || isChanged(card)))
    .map(([identifier, { before, after }]) => ({ identifier, before, after }));
}

/** What an answer says of the card of its path. */
function readingIn(answer: Answer): Reading {
  const { operation, input } = answer;
  const balance = operation.id === 'cards.getBalance' ? balanceIn(answer) : undefined;
  const isRecord = operation.id === 'cards.get' && member(answer, 'identifier') === input.path?.identifier;
  const status = isRecord ? member(answer, 'status') : undefined;
  return {
    ...(typeof status === 'string' && { status }),
    ...(balance !== undefined && { balance: amount(balance) }),
  };
}
