/** A token that has expired, and operations that are called with it where nothing changes (readings 15 and 17). */
import { operation as operationById, operations } from '../../../contracts/operations.ts';
import { type Context, perOperation } from '../../../helpers/check.ts';
import { letPass } from '../../../helpers/runner/target-clock.ts';
import * as BadTokens from '../../shared/bad-tokens.ts';
import * as Requests from '../../shared/requests.ts';
import * as Ages from './ages.ts';

/** The step that tries an operation with a good token, for comparison. */
const comparedTo = (operation: string): string => `${operation} with a good token`;

/** What is compared with the answer to a good token: what the documents only list, and what changes something. */
const compared = operations.filter((o) => o.interface === 'v3' && (o.listedOnly || o.risk !== 'safe'));

const anHour = Ages.lifeInTime('a token of 61 minutes');
// Before the only token expires.
for (const { id } of compared)
  anHour.does(comparedTo(id), async ({ t }) => {
    if (!t.run.client.tokens.renewable && t.isInScope(id)) await t.shared(Requests.harmlessAnswer(id));
  });

/** A life that ends with a token that was issued 61 minutes ago. Nothing moves the clock afterwards. */
export const anHourLater = anHour.shows('expired token', async ({ t }): Promise<BadTokens.BadToken> => {
  const { tokens } = t.run.client;
  const { issued, ...facts } = await Ages.aging.first(t);
  const last = facts['issued before midnight'].value ?? issued.value?.token;
  const token = last ?? (await tokens.current());
  await letPass(t.run, Ages.OLD - tokens.ageOf(token), 'a token gets 61 minutes old');
  await t.settle();
  t.run.timeHasStopped.resolve();
  if (t.run.clockAdvanced > 0) t.run.note(`The test clock was moved forward by ${t.run.clockAdvanced} seconds.`);
  return { name: 'an expired token', authorisation: { authorization: `Bearer ${token.value}` }, hasExpired: true };
});

/** Declares that a requirement needs an expired token. @param operation of which it judges the answer to that @returns what gives it */
export function expiring(requirement: string, operation?: string): (t: Context) => Promise<BadTokens.BadToken> {
  const isCompared = compared.some(({ id }) => id === operation);
  anHourLater.reads(requirement, 'expired token', ...(isCompared ? [comparedTo(operation!)] : []));
  return expiredToken;
}

/** The expired token. @throws the verdict for which there is none */
export const expiredToken = async (t: Context): Promise<BadTokens.BadToken> =>
  (await anHourLater.first(t))['expired token'].get();

/** Calls an operation with an expired token, where nothing changes, or nothing that exists is named. */
export const harmlesslyExpired = perOperation(
  (operation) => `${operation} with an expired token`,
  async (t, operation) => {
    const { risk, listedOnly } = operationById(operation);
    const good = () => t.shared(Requests.harmlessAnswer(operation));
    const token = await expiredToken(t);
    // Requests about one card are sent one after the other.
    t.prioritise();
    if (listedOnly || risk !== 'safe') await good();
    return BadTokens.tryOne(t, operation, await t.shared(Requests.harmlessInput(operation)), token, good);
  },
);
