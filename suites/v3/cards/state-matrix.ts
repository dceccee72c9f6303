/**
 * Card operations by status: the effect of every operation on a card in every status that was seen. The documents are mostly silent on it,
 * so it is observed: a later run shows changes in the target's behaviour.
 */
import { operation, operations } from '../../../contracts/operations.ts';
import { ACTIVE, STATE_CHANGING } from '../../../contracts/v3/cards.ts';
import { entries, type Input, succeeded } from '../../../helpers/answer.ts';
import { amount } from '../../../helpers/cards/card-state.ts';
import { type CardRequest, POOLS, type PoolName } from '../../../helpers/cards/pools.ts';
import { leavesStatus } from '../../../helpers/cards/state-matrix.ts';
import type { Context } from '../../../helpers/check.ts';
import { afterwards } from '../../declare.ts';
import { aCard, firstCards, namedInput } from '../../shared/requests.ts';

/** Operations from the least to the most destructive: those that keep the status here, those that may change it follow. */
const LEAVING = ['cards.transfer', 'cards.setPin', 'cards.reissue', 'cards.markWalletProvisioned'];
const READING = operations
  .filter(
    ({ id, risk, pathParameters, listedOnly }) =>
      risk === 'safe' && pathParameters.length > 0 && !listedOnly && id.startsWith('cards.'),
  )
  .map(({ id }) => id);
/** Most spare cards to use up per status. */
const MOST_SPARES = 3;

afterwards('cards.getStatus', async (t) => {
  const { matrix, shard } = t.run.configuration.run;
  const { embedded } = t.run.configuration.target;
  const isFirst = shard === undefined || shard.index === 1;
  const isKnown = ['cards.list', 'cards.get', 'cards.getStatus'].every((id) => t.isInScope(id));
  try {
    if (!isFirst || !isKnown) return;
    if (matrix) await (embedded ? fillFromSpares(t) : fillFromPools(t));
  } finally {
    for (const { operation: id, status, outcome } of t.run.stateMatrix.cells())
      t.observe(id, `on a card whose status is ${t.run.redactor.text(status)}`, outcome);
  }
});

/** Fills the matrix on the sandbox: every status that its listing shows, on cards that nothing else needs. */
async function fillFromSpares(t: Context): Promise<void> {
  const spare = await spareCards(t);
  const target = spare.get(ACTIVE)?.pop();
  const fill = async ([status, cards]: [string, string[]]) => {
    for (const card of cards.toReversed().slice(0, MOST_SPARES))
      if (missing(t, status, allowed(t)).length > 0) await tour(t, card, target ?? card, allowed(t));
  };
  await Promise.all([...spare].map(fill));
}

/** Fills the matrix on another target: leased cards of the pools are taken through their statuses, listed ones are read. */
async function fillFromPools(t: Context): Promise<void> {
  const left = new Map(t.run.pools.report(t.run.states).map((pool) => [pool.pool, pool.left]));
  const pools: readonly PoolName[] = t.allows('irreversible') ? POOLS : ['active'];
  const requests: CardRequest[] = pools
    .filter((pool) => t.allows('reversible') && (left.get(pool) ?? 0) > 0)
    .map((pool) => ({ pool, count: 1 }));
  const leased = requests.length > 0 ? (await t.lease(...requests)).flat() : [];
  const target = leased[0]?.identifier ?? '';
  for (const { identifier, pool } of leased) {
    const operations = allowed(t).filter((id) => pool !== 'active' || operation(id).risk !== 'irreversible');
    await tour(t, identifier, target, operations);
  }
  const byStatus = new Map(entries(await t.shared(firstCards)).map(({ status, identifier }) => [status, identifier]));
  for (const identifier of byStatus.values())
    if (typeof identifier === 'string')
      await tour(
        t,
        identifier,
        '',
        allowed(t).filter((id) => READING.includes(id)),
      );
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
  return { ...namedInput(t, id, card, target), ...(bodies[id] ? { json: bodies[id] } : {}) };
}

/** A max above 50, which the sandbox accepts. */
const MANY = 200;

/** Listed cards by status, except those of the fixtures file and the card for reading. */
async function spareCards(t: Context): Promise<Map<string, string[]>> {
  const taken = new Set([JSON.stringify(t.fixtures.cards ?? {}), await t.shared(aCard)]);
  const many = await t.call('cards.list', { query: { max: MANY } }, { intent: 'refusable' });
  const spare = new Map<string, string[]>();
  for (const { identifier, status } of entries(succeeded(many) ? many : await t.shared(firstCards))) {
    if (typeof identifier !== 'string' || typeof status !== 'string') continue;
    if ([...taken].some((text) => text.includes(identifier))) continue;
    spare.set(status, [...(spare.get(status) ?? []), identifier]);
  }
  return spare;
}
