/** What may excuse the refusal of an operation for a card: a target's requirements for cards, and its limits, are not documented (readings 47 and 50). */
import { numbers } from '../../../contracts/numbers.ts';
import { type Answer, succeeded } from '../../../helpers/answer.ts';
import type { LeasedCard, PoolName } from '../../../helpers/cards/pools.ts';
import { type Context, perOperation } from '../../../helpers/check.ts';
import { succeedsAlone } from '../../../helpers/engine/acceptance.ts';
import { knownOf } from '../../../helpers/engine/monitor.ts';
import { inconclusive, optional } from '../../../helpers/verdict.ts';
import * as Requests from '../../shared/requests.ts';
import { readDisposable } from './scenarios/activation.ts';
import * as Alone from './scenarios/alone.ts';
import * as Steps from './scenarios/steps.ts';
import type { Transition } from './scenarios/transition.ts';
import { statusesIn, whySpent } from './states/statuses.ts';

/**
 * Call before judging the answer to an operation that is also tried with a PIN.
 * @throws Inconclusive where it is refused and no PIN was accepted in this run: the target may require one, in a form that is not documented
 */
export function requirePinTried(t: Context, answer: Answer): void {
  if (succeeded(answer)) return;
  if (t.isInScope('cards.setPin') && !t.run.history.wasAccepted('cards.setPin'))
    inconclusive('it is refused, and no PIN was accepted, which the target may require first');
}

/** The pool whose cards an operation has to accept. */
const POOL_OF: Readonly<Record<string, PoolName>> = {
  'cards.encryptForVde': 'active',
  'cards.suspend': 'active',
  ...Alone.POOL_OF,
  'cards.markWalletProvisioned': 'disposable',
  'cards.markLost': 'disposable',
  'cards.close': 'disposable',
};
/** Whether an operation is accepted for any of some further cards. */
const takesFurther = perOperation(
  (operation) => `${operation} of further cards`,
  async (t, operation): Promise<boolean> => {
    const pool = POOL_OF[operation];
    const cards = (await optional(pool ? t.lease({ pool, upTo: numbers.refusedCards }) : [])) ?? [];
    for (const { identifier } of cards.flat()) {
      const input = Requests.named(t, operation, identifier, identifier);
      if (succeeded(await t.call(operation, input, { intent: 'refusable' }))) return true;
    }
    return false;
  },
);

/**
 * Call where an operation is refused for a card: a target's requirements for cards are not documented (reading 50), and need not show.
 * @param again asks it of another card
 * @throws Inconclusive where it is accepted for that, or for any of some further ones
 */
export async function requireRefusedForOthers(t: Context, operation: string, again: () => Promise<Answer>) {
  const wasAccepted = () => t.run.history.wasAccepted(operation);
  const isAcceptedAgain = async () => wasAccepted() || succeeded(await again());
  if (wasAccepted() || (await succeedsAlone(t, isAcceptedAgain, () => t.shared(takesFurther(operation)))))
    inconclusive(
      `${operation} is refused for one card and accepted for another: an undocumented rule of the target may explain it`,
    );
}

/**
 * Requires a card to have been in the state that its pool promises, which may be out of date.
 * @throws Inconclusive when it was Active, or had the status of cards that this run suspended, marked lost or closed, or of disposable cards
 * that an earlier run used up
 */
export async function requireNotSpent(
  t: Context,
  pool: 'unused' | 'fraud',
  { before, untouched }: Transition,
): Promise<void> {
  const { status } = untouched.value ?? before.get();
  if (status === undefined) return;
  const why = () => {
    const statuses = statusesIn(t.run.answers, knownOf(t));
    // A card with reported fraud need not be like one that is activated.
    return whySpent(status, pool === 'unused' ? statuses : { ...statuses, activated: new Set() });
  };
  if (why() === undefined) await t.known(readDisposable);
  const reason = why();
  if (reason) inconclusive(reason);
}

/** Whether suspending an Active card is refused, too, after an operation was. The card is released before others are leased. */
const refusesSuspension = perOperation(
  (operation) => `a suspension after ${operation} was refused`,
  async (t): Promise<boolean> => {
    const [[{ identifier }]] = (await t.lease({ pool: 'active' })) as [[LeasedCard]];
    return !succeeded(await Steps.ask(t, 'cards.suspend', identifier));
  },
);

/** @throws Inconclusive where a suspension was accepted earlier in this run (reading 47), and that of an Active card is refused now, too */
export async function requireSuspending(t: Context, operation: string): Promise<void> {
  if (!t.run.history.wasAccepted('cards.suspend')) return;
  if (await optional(t.shared(refusesSuspension(operation))))
    inconclusive(
      'it is refused, but so is the suspension of an Active card now: an undocumented limit of the target may explain it',
    );
}
