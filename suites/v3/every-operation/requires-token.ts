/** Every users and cards operation needs a good token (readings 17 and 31): each with the requests that a good one makes succeed, where there are any. */
import { operation as operationById, operations } from '../../../contracts/operations.ts';
import { type CheckOptions, type Context, perOperation } from '../../../helpers/check.ts';
import * as Guard from '../../../helpers/engine/guard.ts';
import { optional } from '../../../helpers/verdict.ts';
import { afterwards, monitored } from '../../declare.ts';
import * as BadTokens from '../../shared/bad-tokens.ts';
import * as Requests from '../../shared/requests.ts';
import * as RefusedTransfers from '../cards/refused-transfers.ts';
import { TRANSITIONS } from '../cards/scenarios/transitions.ts';
import { gifts } from '../cards/scenarios/wallet-pin-reissue.ts';
import * as SetPermissions from '../users/set-permissions.ts';
import * as OtherForms from './other-forms.ts';

/** Where nothing changes, or nothing that exists is named. */
const onHarmless = perOperation(
  (operation) => `${operation} with bad tokens`,
  async (t, operation) => {
    const { risk, listedOnly } = operationById(operation);
    const good = () => t.shared(Requests.harmlessAnswer(operation));
    if (listedOnly) t.prioritise();
    // First, where the documents do not show how it is answered, and where a cache in front of the guard may keep that.
    if (listedOnly || risk !== 'safe' || operation.endsWith('.list')) await good();
    if (listedOnly) t.observe(operation, risk === 'safe' ? 'a good token' : 'an invented identifier', await good());
    // Over the operations all kinds are tried: what does not exist, or is not shown, shows less of a guard.
    const most = risk === 'safe' && !listedOnly ? undefined : 1;
    await BadTokens.tryAll(t, operation, await t.shared(Requests.harmlessInput(operation)), { good, most });
  },
);

// In HTTP the scheme is case-insensitive (RFC 9110 section 11.1); the document writes Bearer.
afterwards('users.list', async (t) => {
  const { value } = await t.run.client.tokens.current();
  for (const scheme of t.rotated('users.list: spelling of Bearer', ['bearer', 'BEARER'])) {
    const authorisation = { authorization: `${scheme} ${value}` };
    const answer = await t.call('users.list', { query: { max: 1 } }, { intent: 'refusable', authorisation });
    t.observe('users.list', `the scheme written as ${scheme}`, answer);
  }
});

// ---- changing: on what a good token changes --------------------------------------------------------------------------

/** Declares that requests with bad tokens, and for what is misnamed, are steps before a good one. @returns what plays them */
function drivenBy(reads: Reads, id: string): Drive {
  for (const name of ['requires-token', 'challenge']) reads(`${id}.${name}`, 'bad tokens');
  return reads(`${id}.unknown-identifier`, 'misnamed');
}
type Drive = (t: Context) => Promise<unknown>;
type Reads = (requirement: string, step: 'bad tokens' | 'misnamed') => Drive;

/** The steps of transfers with bad tokens, and from what is misnamed. */
const TRANSFERS = { 'bad tokens': RefusedTransfers.BAD_TOKENS, misnamed: RefusedTransfers.FROM_MISNAMED } as const;

/** What makes a good token change something, by operation; each tries what must be refused before. */
const changing: Record<string, Drive> = {
  'users.setPermissions': drivenBy(SetPermissions.permissionChanges.reads, 'users.setPermissions'),
  'cards.transfer': drivenBy(
    (requirement, step) => RefusedTransfers.transfers.reads(requirement, TRANSFERS[step]),
    'cards.transfer',
  ),
};
for (const [id, { reads }] of Object.entries(TRANSITIONS)) changing[id] = drivenBy(reads, id);
for (const id of ['cards.setPin', 'cards.reissue', 'cards.markWalletProvisioned'])
  changing[id] = drivenBy((requirement, step) => gifts.reads(requirement, `${step}: ${id}`), id);

/** Tries an operation where a good request changes something, as far as the risk and the fixtures allow. */
export async function tryChanging(t: Context, operation: string): Promise<void> {
  const isAllowed = operation.startsWith('users.') || t.allows(operationById(operation).risk);
  if (isAllowed) await optional(changing[operation]?.(t));
}

/** Sends bad tokens there, else where everything is left as it is. */
async function tryGuard(t: Context, operation: string): Promise<void> {
  await tryChanging(t, operation);
  const own = t.run.answers.filter(({ exchange }) => t.exchanges.includes(exchange));
  const isTried = own.some((one) => one.operation.id === operation && one.wrong?.what === BadTokens.NONE.name);
  if (!isTried) await t.shared(onHarmless(operation));
}

// ---- the table -------------------------------------------------------------------------------------------------------

for (const { id, listedOnly } of operations.filter((o) => o.interface === 'v3')) {
  const options: CheckOptions = listedOnly ? { phase: 'end' } : {};
  const refuses = monitored(`${id}.requires-token`, Guard.refusesBadCredentials(id));
  refuses('bad tokens', options, (t) => tryGuard(t, id));
  if (OtherForms.has(id)) refuses('in its other forms', {}, (t) => OtherForms.tryAll(t, id, BadTokens.NONE));
  const challenges = monitored(`${id}.challenge`, Guard.challenges(id));
  challenges('to bad tokens', options, (t) => tryGuard(t, id));
}
