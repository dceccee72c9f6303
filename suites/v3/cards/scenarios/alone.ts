/** An operation on a card that nothing else uses, and what it changes there that it is not about (reading 10). */
import { randomUUID } from 'node:crypto';
import { numbers } from '../../../../contracts/numbers.ts';
import { operation as operationById } from '../../../../contracts/operations.ts';
import { ACTIVE, LEAVING_ALONE } from '../../../../contracts/v3/cards.ts';
import type { LeasedCard, PoolName } from '../../../../helpers/cards/pools.ts';
import { type Context, perOperation, type Scenario } from '../../../../helpers/check.ts';
import { attempt, optional } from '../../../../helpers/verdict.ts';
import { identifiersOf } from '../../../shared/identifiers.ts';
import * as Requests from '../../../shared/requests.ts';
import * as Around from './around.ts';
import * as ByItself from './by-itself.ts';
import * as Bystanders from './bystanders.ts';
import * as Looks from './looks.ts';
import * as Steps from './steps.ts';
import { tryWrongPins } from './wallet-pin-reissue.ts';

/** An Active card that is listed, and that nothing else uses. */
async function anyListed(t: Context): Promise<string | undefined> {
  const active = (await Bystanders.unused(t)).filter(({ status }) => status === ACTIVE);
  return identifiersOf(active).at(-1);
}

/** A card of the first of some pools that has one left: one is enough to try again what somebody else may have done to another. */
async function anyPooled(t: Context, [pool, ...others]: readonly PoolName[]): Promise<string> {
  const request = { pool: pool!, prefers: ({ balance = 0 }: LeasedCard) => balance >= numbers.leastBalance };
  const leased = await attempt(() => t.lease(request));
  if (leased.isEnded && others.length > 0) return anyPooled(t, others);
  return leased.get()[0]![0]!.identifier;
}

/** What an operation that nothing else is asked with changes that it is not about. */
type Alone = (operation: string) => Scenario<Looks.Change | undefined>;

/** The operation alone, on a card that nothing else uses. */
export const trial: Alone = perOperation(
  (operation) => `${operation} alone`,
  async (t, operation) => {
    // Those that only read take the same card, which one of them may change: they take turns.
    const earlier = isSafe(operation) && LEAVING_ALONE[LEAVING_ALONE.indexOf(operation) - 1];
    if (earlier) await optional(t.known(trial(earlier)));
    return changedBy(t, operation);
  },
);

/** The same on a further card. */
const furtherTrial: Alone = perOperation((operation) => `${operation} alone, once more`, changedBy);

/**
 * Whether others do what an operation seems to do: it is seen now, or was seen without the operation, which does not show it a third time. They may have
 * stopped.
 */
export const isDoneByOthers = async (t: Context, operation: string, change: Looks.Change): Promise<boolean> =>
  (await Around.isSeenToBeDone(t, operation, change)) ||
  (Looks.isShownWithout(t, operation, change) && (await optional(t.shared(furtherTrial(operation))))?.to !== change.to);

const isSafe = (operation: string): boolean => operationById(operation).risk === 'safe';

/** Pools of cards that an operation is for, where it takes no Active ones. */
export const POOL_OF: Readonly<Record<string, PoolName>> = { 'cards.activate': 'unused', 'cards.unmarkFraud': 'fraud' };

async function changedBy(t: Context, operation: string): Promise<Looks.Change | undefined> {
  const identifier =
    (isSafe(operation) && (await anyListed(t))) ||
    (await anyPooled(t, isSafe(operation) ? ByItself.POOLS : [POOL_OF[operation] ?? 'disposable']));
  if (operation === 'cards.unsuspend') await Steps.ask(t, 'cards.suspend', identifier);
  const before = await t.state(identifier);
  const readAgain = await Around.watching(t, operation, identifier, before, true);
  if (operation === 'cards.setPin') {
    const pins = Steps.somePins();
    await tryWrongPins(t, identifier, pins[0]);
    for (let times = 0; times < 2; times++) await Steps.setSomePin(t, identifier, pins);
  } else {
    const input = Requests.named(t, operation, identifier, identifier);
    await t.call(operation, input, { intent: 'refusable' });
    // With a nonce it may change what it does not without one.
    if (operation === 'cards.encryptForVde')
      await t.call(operation, { ...input, json: { nonce: randomUUID() } }, { intent: 'refusable' });
  }
  return readAgain();
}
