/** Operations that change cards: refused without a good token, and on other people's cards. */
import { operation as operationById } from '../../../contracts/operations.ts';
import { succeeded } from '../../../helpers/answer.ts';
import { defineSuite } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { attempt, values } from '../../../helpers/engine/step.ts';
import { expectRefused } from '../../../helpers/expect.ts';
import { fail, Inconclusive, inconclusive, Skipped } from '../../../helpers/verdict.ts';
import {
  expectChallenged,
  expectInventedGuarded,
  expectRefusedWithoutToken,
  type Probe,
  probesOnInvented,
} from '../../shared/bad-tokens.ts';
import { foreignCards } from '../../shared/foreign-cards.ts';
import { requireNoFee, requireRecurring, requireStill } from '../cards/judge-money.ts';
import { nothingMoved } from '../cards/scenarios/balance-changes.ts';
import { movedLate } from '../cards/scenarios/oddities.ts';
import { transfers } from '../cards/scenarios/transfers.ts';
import { effectOfRefused, type TransitionSource } from '../cards/scenarios/transition.ts';
import { TRANSITIONS } from '../cards/scenarios/transitions.ts';
import {
  type BodyFacts,
  type WalletFacts,
  walletAgain,
  walletPinReissue,
} from '../cards/scenarios/wallet-pin-reissue.ts';

const { check, suite } = defineSuite();
export const requiresTokenChangingSuite = suite;

/** Results of an operation that was tried with bad tokens on a card where a good one succeeds. */
interface Protection {
  badly: Probe[];
  /** The effect of the calls with bad tokens, in words; undefined for none. */
  effect: () => Promise<string | undefined>;
  /** Whether the same request is accepted with a good token. */
  isAccepted: () => boolean;
}

const ofTransition =
  (transition: TransitionSource) =>
  async (t: Context): Promise<Protection> => {
    const { badly, answer } = await transition.first(t);
    return {
      badly: badly(),
      effect: () => effectOfRefused(t, transition),
      isAccepted: () => succeeded(answer()),
    };
  };

const ofBody = ({ badly, answer }: BodyFacts): Protection => ({
  badly: badly(),
  effect: async () => undefined,
  isAccepted: () => succeeded(answer()),
});

async function ofTransfer(t: Context): Promise<Protection> {
  const facts = await t.shared(transfers);
  const badly = facts.badly();
  const late = movedLate(facts);
  const moved = badly.find((attempt) => !nothingMoved(attempt.gains) || late.includes(attempt));
  if (moved) {
    requireStill(facts.drift);
    // A loss without a gain may be the fee of an earlier transfer.
    if ([...moved.gains.values()].every((gain) => gain <= 0)) requireNoFee(facts);
    requireRecurring(moved);
  }
  return {
    badly,
    effect: async () => moved && `a transfer with ${moved.name} moves money`,
    isAccepted: () => !nothingMoved(facts.plain().attempt.gains),
  };
}

const protections: Record<string, (t: Context) => Promise<Protection>> = {
  'cards.transfer': ofTransfer,
  ...Object.fromEntries(Object.entries(TRANSITIONS).map(([id, transition]) => [id, ofTransition(transition)])),
  'cards.setPin': async (t) => ofBody((await t.shared(walletPinReissue)).setPin),
  'cards.reissue': async (t) => ofBody((await t.shared(walletPinReissue)).reissue),
  'cards.markWalletProvisioned': async (t) => {
    const { wallet } = await t.shared(walletPinReissue);
    const isProvisioned = ({ before, untouched }: WalletFacts) => before !== true && untouched() === true;
    const effect = async () => {
      if (!isProvisioned(wallet)) return undefined;
      const again = await attempt(async () => isProvisioned((await t.shared(walletAgain)).wallet));
      if (values([again]).includes(false)) inconclusive('one card became provisioned, but a second one did not');
      return 'the card is provisioned';
    };
    const { badly, answer } = wallet;
    return { badly: badly(), effect, isAccepted: () => succeeded(answer()) };
  },
};

/** Results for an operation; undefined where the risk allowed or the remaining cards permit only an invented identifier. */
async function protectionOf(t: Context, operation: string): Promise<Protection | undefined> {
  if (!t.allows(operationById(operation).risk)) return undefined;
  try {
    return await protections[operation]!(t);
  } catch (error) {
    if (error instanceof Skipped || error instanceof Inconclusive) return undefined;
    throw error;
  }
}

for (const operation of Object.keys(protections)) {
  check(`${operation}.requires-token`, 'where it would succeed', async (t) => {
    const protection = await protectionOf(t, operation);
    if (!protection) return expectInventedGuarded(t, operation);
    for (const { name, answer } of protection.badly) expectRefused(answer, `a request with ${name}`);
    const effect = await protection.effect();
    if (effect) fail(`requests with bad tokens are refused but have an effect: ${effect}`);
    for (const probe of protection.badly) await expectRefusedWithoutToken(probe, async () => protection.isAccepted());
  });

  check(`${operation}.challenge`, 'to bad tokens', async (t) => {
    const protection = await protectionOf(t, operation);
    expectChallenged(protection?.badly ?? (await t.shared(probesOnInvented(operation))).bad);
  });
}

/** Complete bodies of the operations that take one; transfers are judged by the money. */
const bodies: Record<string, (t: Context) => unknown> = {
  'cards.setPin': () => ({ pin: '4827' }),
  'cards.reissue': (t) => ({ externalIdentifier: t.unique('reissue') }),
};

for (const operation of Object.keys(protections).filter((id) => id !== 'cards.transfer'))
  check(`${operation}.foreign`, 'with a good token', async (t) => {
    for (const identifier of foreignCards(t)) {
      const input = { path: { identifier }, json: bodies[operation]?.(t) };
      expectRefused(await t.call(operation, input, { intent: 'foreign' }), 'a foreign card');
    }
  });
