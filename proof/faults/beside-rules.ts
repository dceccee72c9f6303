/** Faults at targets that have rules of their own beside them, which no document forbids: they hide none. */
import type { AnswerFilter, Rules } from '../../sandbox/index.ts';
import { bodyIn } from './broken.ts';
import type { Fault } from './fault.ts';
import { cardFaults } from './v3-cards.ts';
import { changingCardFaults } from './v3-changing.ts';
import { readingFaults } from './v3-reading.ts';
import { transferFaults } from './v3-transfers.ts';

const known = [...cardFaults, ...changingCardFaults, ...readingFaults, ...transferFaults];

/** Faults by name, at a target with the rules, whose answers are as the filter leaves them. */
const beside = (rule: string, rules: Partial<Rules>, names: readonly string[], filter?: AnswerFilter): Fault[] =>
  names.map((name) => {
    const fault = known.find((one) => one.name === name);
    if (!fault) throw new Error(`no fault is named ${name}`);
    const { rules: broken, middleware = [] } = fault.sandbox;
    return {
      ...fault,
      name: `${name}, and ${rule}`,
      sandbox: {
        ...fault.sandbox,
        rules: { ...broken, ...rules },
        middleware: [...middleware, ...(filter ? [filter] : [])],
      },
    };
  });

/** Refuses transfers of amounts that are not multiples of five units. */
const inFives: Rules['alsoRefuses'] = (request) => {
  const { amount } = bodyIn(request);
  const isOther = request.operation === 'cards.transfer' && typeof amount === 'number' && amount % 5 !== 0;
  return isOther ? { kind: 'range', name: 'amount' } : undefined;
};

const withoutIdentifiers: AnswerFilter = ({ body }) => {
  const { results = [] } = (body ?? {}) as { results?: { identifier?: string }[] };
  for (const entry of results) delete entry.identifier;
  return undefined;
};

export const besideRulesFaults: readonly Fault[] = [
  ...beside('amounts are multiples of 5.00', { alsoRefuses: inFives }, [
    'a foreign card is paid',
    'a card that pays itself loses',
    'a negative amount draws from the target',
    'of two transfers between two cards in both directions at the same moment one is lost',
  ]),
  ...beside('transfers have a fee', { transferDebit: (cents) => (cents > 0 ? cents + 25 : cents) }, [
    'a card that pays itself loses',
    'zero bytes move a default amount',
    'of more than five units five are credited',
  ]),
  ...beside(
    'listings are without identifiers',
    {},
    ['cards.get: without byToken a token is expected, beside a proxy, too'],
    withoutIdentifiers,
  ),
];
