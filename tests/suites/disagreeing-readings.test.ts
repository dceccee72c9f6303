/** Of two readings that disagree the one is accused that a third contradicts: a record and the listing of its card, which has a filter. */
import { expect, test } from 'vitest';
import { answering } from '../../proof/changed-sandbox.ts';
import { conductAgainst, failedIn } from '../../proof/selfcheck/prove.ts';

const RECORD = 'cards.get.same-card';
const LISTING = 'cards.list.filtered-members';

const wrong = { externalIdentifier: 'of-nobody' };
const inRecord = answering('cards.get', (card) => Object.assign(card, wrong));
const inListing = answering('cards.list', ({ results }) => {
  for (const card of results as object[]) Object.assign(card, wrong);
});

test.each([
  ['the record', inRecord, [RECORD]],
  ['the listing', inListing, [LISTING]],
])('%s is wrong', async (_, sandbox, failed) => {
  const { outcomes } = await conductAgainst(sandbox, [RECORD, LISTING]);
  expect([...new Set(failedIn(outcomes))]).toEqual(failed);
});
