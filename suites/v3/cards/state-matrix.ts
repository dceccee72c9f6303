/** What every card operation does in every status that was seen: the documents are mostly silent on it, so that it is observed. */
import { operation, operations } from '../../../contracts/operations.ts';
import { STATE_CHANGING } from '../../../contracts/v3/cards.ts';
import { type Input, succeeded } from '../../../helpers/answer.ts';
import { amount } from '../../../helpers/cards/card-state.ts';
import { type LeasedCard, POOLS, type PoolName } from '../../../helpers/cards/pools.ts';
import { leavesStatus } from '../../../helpers/cards/state-matrix.ts';
import type { Context } from '../../../helpers/check.ts';
import { afterwards } from '../../declare.ts';
import * as Requests from '../../shared/requests.ts';
import * as Bystanders from './scenarios/bystanders.ts';

/** Operations from the least to the most destructive: those that keep the status here, those that may change it follow. */
const LEAVING = ['cards.transfer', 'cards.setPin', 'cards.reissue', 'cards.markWalletProvisioned'];
const READING = operations
  .filter(({ id, risk, pathParameters, listedOnly }) => {
    const isOnCard = id.startsWith('cards.') && pathParameters.length > 0;
    return isOnCard && risk === 'safe' && !listedOnly;
  })
  .map(({ id }) => id);

/** Most listed cards to use per status. */
const MOST_SPARES = 3;

afterwards('cards.getStatus', async (t) => {
  const { matrix, shard } = t.run.configuration.run;
  const isFirst = shard === undefined || shard.index === 1;
  const isKnown = ['cards.list', 'cards.get', 'cards.getStatus'].every((id) => t.isInScope(id));
  try {
    if (matrix && isFirst && isKnown) await fill(t);
  } finally {
    for (const { operation: id, status, outcome } of t.run.stateMatrix.cells())
      t.observe(id, `on a card whose status is ${t.run.redactor.text(status)}`, outcome);
  }
});

/** Takes leased cards through their statuses, and reads listed ones that no check changes; those of the sandbox are taken through theirs, too. */
async function fill(t: Context): Promise<void> {
  const leased = await leaseOneOfEach(t);
  const target = leased[0]?.identifier ?? '';
  for (const { identifier, pool } of leased) {
    const operations = allowed(t).filter((id) => pool !== 'active' || operation(id).risk !== 'irreversible');
    await tour(t, identifier, target, operations);
  }
  const { embedded } = t.run.configuration.target;
  const operations = allowed(t).filter((id) => embedded || READING.includes(id));
  for (const [status, cards] of Map.groupBy(await Bystanders.unused(t), ({ status }) => String(status)))
    for (const { identifier } of cards.slice(0, MOST_SPARES))
      if (missing(t, status, operations).length > 0) await tour(t, String(identifier), target, operations);
}

/** A card of each pool whose cards may be changed, as far as one is left. */
async function leaseOneOfEach(t: Context): Promise<LeasedCard[]> {
  const reports = t.run.pools.report(t.run.states).filter(({ left }) => left > 0);
  const isAllowed = (pool: PoolName) => t.allows(pool === 'active' ? 'reversible' : 'irreversible');
  const requests = POOLS.filter((pool) => isAllowed(pool) && reports.some((one) => one.pool === pool)).map((pool) => ({
    pool,
    count: 1,
  }));
  return requests.length > 0 ? (await t.lease(...requests)).flat() : [];
}

const allowed = (t: Context): string[] =>
  [...READING, ...LEAVING, ...STATE_CHANGING].filter((id) => t.isInScope(id) && t.allows(operation(id).risk));

const missing = (t: Context, status: string, among: readonly string[]): string[] =>
  among.filter((id) => !t.run.stateMatrix.has(id, status));

/** Tries the missing operations on a card in each status it gets into, the least destructive first. */
async function tour(t: Context, card: string, target: string, among: readonly string[]): Promise<void> {
  for (let { status } = await t.state(card); status !== undefined; ) {
    const [next] = missing(t, status, among);
    if (next === undefined) return;
    const answer = await t.call(next, requestOf(t, next, card, target), { intent: 'refusable' });
    if (!t.run.stateMatrix.has(next, status)) return;
    if (!succeeded(answer) || leavesStatus(answer.operation)) continue;
    if (STATE_CHANGING.includes(next)) await t.settle();
    ({ status } = await t.state(card));
  }
}

/** A complete request, with a transfer of a single cent. */
function requestOf(t: Context, id: string, card: string, target: string): Input {
  const bodies: Record<string, unknown> = {
    'cards.reissue': { externalIdentifier: t.unique('reissue') },
    'cards.transfer': { targetCardIdentifier: target, amount: amount(1) },
  };
  const input = Requests.named(t, id, card, target);
  return { ...input, json: bodies[id] ?? input.json };
}
