/** An operation that changes the state of a card changes nothing else (reading 10). */
import { defineSuite } from '../../../helpers/check.ts';
import { attempt, values } from '../../../helpers/engine/step.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { changedBy, isDoneToAll } from './scenarios/around.ts';
import { TRANSITIONS } from './scenarios/transitions.ts';

const { check, suite } = defineSuite();
export const nothingElseSuite = suite;

for (const [operation, { first, again }] of Object.entries(TRANSITIONS))
  check(`${operation}.nothing-else`, 'other cards, and the balance of its own', async (t) => {
    const around = (await first(t)).around();
    const changed = changedBy(around);
    if (changed === undefined) {
      if (around.others.length === 0 && around.balance.before === undefined) inconclusive('nothing else could be read');
      return;
    }
    const { inWords } = changed;
    // Others may use the cards, but not in the same way twice, nor all at once.
    const second = await attempt(async () => changedBy((await again(t)).around()));
    const [another] = values([second]);
    if (!(another && another.to === changed.to) && !(await isDoneToAll(t, changed)))
      inconclusive(`after ${operation} ${inWords}, but not when it was called for another card`);
    fail(`after ${operation} ${inWords}`, { expected: 'no change but that of the card', actual: inWords });
  });
