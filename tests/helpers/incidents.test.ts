import { expect, test } from 'vitest';
import type { Answer } from '../../helpers/answer.ts';
import { Incidents } from '../../helpers/evidence/incidents.ts';
import { Ledger } from '../../helpers/evidence/ledger.ts';
import { answerTo } from '../tools/answers.ts';

test('right readings are counted while the target has no bad credential to remember, and those refused at first', () => {
  const incidents = new Incidents(new Ledger([], {}), () => {});
  const [accepted, refused] = [200, 403].map((status) => answerTo('cards.list', '', { status })) as [Answer, Answer];
  incidents.readingAccepted(accepted, accepted, true);
  incidents.readingAccepted(accepted, refused, true);
  incidents.readingAccepted(accepted, refused, false);
  expect(incidents.readings()).toEqual([{ operation: 'cards.list', asked: 2, refused: 1 }]);
});
