/** Balances of cards that are asked for at the same moment (readings 10 and 23). */
import { knownOf } from '../../../helpers/engine/monitor.ts';
import * as Retrial from '../../../helpers/engine/retrial.ts';
import { attempt } from '../../../helpers/verdict.ts';
import { monitored } from '../../declare.ts';
import * as OwnBalances from './money/own-balances.ts';
import { readings } from './scenarios/reading.ts';

const isOwn = monitored('cards.getBalance.same-card', OwnBalances.ownBalances, {
  tryAgain: Retrial.askedInFlight(OwnBalances.balanceIn),
});
const readBalances = readings.reads('cards.getBalance.same-card', 'cards.getBalance');
isOwn('of cards that are read at the same moment', { phase: 'last' }, async (t) => {
  const read = await attempt(() => readBalances(t));
  const cards = [...new Set(t.run.answers.filter(OwnBalances.isReading).map(OwnBalances.cardOf))].filter(
    (card) => card !== undefined,
  );
  // Where nothing may be moved, nothing rests on balances: what was read anyway is enough.
  const isSeen = [...OwnBalances.ownBalances(t.run.answers, knownOf(t))].length > 0;
  if (!isSeen || t.allows('reversible')) await OwnBalances.readBeside(t, cards.slice(0, 2));
  t.exchanges.push(...t.run.answers.filter(OwnBalances.isReading).map(({ exchange }) => exchange));
  if (cards.length === 0) read.get();
});
