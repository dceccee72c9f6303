/** What one night condemns is condemned each night until it is mended (reading 52). */
import { expect, test } from 'vitest';
import { faults } from '../faults/index.ts';
import { conductNights } from './nights.ts';
import { conduct, failedIn, sandboxOf } from './prove.ts';

const NIGHTS = 12;

/** Faults that few of the forms show which rotate: without a memory some nights condemn them, and some do not. */
const NAMES = [
  'portal: what follows a session identifier is cut off by one operation',
  'portal: portal.getCIPCheck needs no session for persons without ssn',
  'portal: portal.orderCards needs no session for Digital cards',
  'portal: an order that was made before is answered as it was then, whatever the session',
  'portal: a customerId of zero is that of the login in a hierarchy',
  'portal: a negative zip is taken of persons without ssn',
  'portal: a zip is read into 32 bits',
  'portal: a ssn is read into 32 bits',
  'portal: a name of one letter is answered with 500 to a CIP check',
  'portal: a state in small letters is answered with 500 to a CIP check',
  'portal: ssn may be absent of a card in the middle',
  'portal: of a card phone and ssn may be absent together',
  'portal: Digital cards are taken with a null shippingMethod where they are off',
  'portal: Digital cards are taken with an externalIdentifier where they are off',
  'portal: fees with cents is answered with 500 to an order',
  'portal: a name of more than 50 letters is answered with 500 to an order',
  'portal: the last 32 bits of a custProgId count',
  'a comment of digits is answered as a number',
  'a filter of cards is ignored with a large max',
  'cards: orderIdentifier is ignored beside customerIdentifier alone',
  'cards: a value that continues a customerIdentifier finds its cards',
  'cards: a value that continues a programIdentifier finds its cards',
  'cards: a value that continues a orderIdentifier finds its cards',
  'cards.get: 200 is answered for a word that every object knows',
  'canSearchSpends alone is not given',
  'a client_id that is cut off gets a token',
  'a client_id is taken for a pattern',
  'cards.getBalance takes a token for 45 minutes',
  'cards.getStatus takes a token for 20 minutes',
];
const named = faults.filter(({ name }) => NAMES.includes(name));

test('there are faults of these names', () => expect(named).toHaveLength(NAMES.length));

test.concurrent.each(named)('$name', { timeout: 300_000 }, async ({ condemns, also = [], sandbox, configure }) => {
  const selection = { only: [...condemns, ...also] };
  const nights = await conductNights(NIGHTS + 1, 1, (night, setUp) =>
    conduct(sandboxOf(night <= NIGHTS ? sandbox : {}), selection, (configuration) => {
      configure?.(configuration);
      setUp(configuration);
    }),
  );
  const mended = nights.pop()!;
  for (const id of condemns) {
    const isCondemned = nights.map(({ outcomes }) => failedIn(outcomes).includes(id));
    const first = isCondemned.indexOf(true);
    expect(first, `${id} is condemned`).toBeGreaterThanOrEqual(0);
    expect(isCondemned.slice(first), `${id} from night ${first + 1} on`).not.toContain(false);
  }
  expect(failedIn(mended.outcomes)).toEqual([]);
  expect(mended.run.facts().unplayed, 'all that failed was tried again').toEqual([]);
});
