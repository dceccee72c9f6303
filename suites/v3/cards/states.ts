/** What cards show to be after what was asked of them (readings 10, 28 and 29): each check leads a card, and a monitor judges what was read. */
import type { CheckOptions, Context } from '../../../helpers/check.ts';
import * as Scope from '../../../helpers/configuration/scope.ts';
import { expectKept } from '../../../helpers/engine/monitor.ts';
import type { Monitor } from '../../../helpers/evidence/monitor.ts';
import { attempt, type Fact, optional } from '../../../helpers/verdict.ts';
import { check, watch } from '../../declare.ts';
import { lives } from './lives.ts';
import { activation } from './scenarios/activation.ts';
import { closedCard } from './scenarios/closing.ts';
import * as Endings from './scenarios/endings.ts';
import * as Steps from './scenarios/steps.ts';
import { suspension } from './scenarios/suspension.ts';
import { gifts, maySpend } from './scenarios/wallet-pin-reissue.ts';
import * as Expectations from './states/expectations.ts';
import * as Monitors from './states/monitors.ts';

/** What leads cards into the states that a requirement is about, and what leads others likewise; it is given the first of them. */
interface Led {
  name: string;
  lead: (t: Context) => Promise<unknown>;
  again: (t: Context, card: string) => Promise<unknown>;
  options?: CheckOptions;
}

/** What has steps, which requirements read. */
interface Stepped {
  reads: (
    reader: { requirement: string } & Scope.Condition,
    ...names: readonly string[]
  ) => (t: Context) => Promise<unknown>;
  again: (t: Context) => Promise<unknown>;
}

/** Steps of a life lead there, and those of the life of another card. */
const led =
  (name: string, life: Stepped) =>
  (steps: readonly string[], options: Scope.Condition = {}) =>
  (requirement: string): Led => ({
    name,
    lead: life.reads({ requirement, ...options }, ...steps),
    again: (t) => life.again(t),
    options,
  });

const suspended = led('suspended, asked to pay and to be paid, and unsuspended', suspension);
const closed = led('closed, and whatever is asked of it then', closedCard);
const lost = led('marked lost, and asked for other things', Endings.loss);
const activated = led('activated, and brought to an end', activation);
const given = led('suspended, given a wallet and a PIN', gifts);
const lived = led('in lives of cards', lives);
const closedUnused = led('closed before anybody has activated it', Endings.closedUnused);

const whenUnused = 'unsuspended while unused';
const whenFraud = 'unsuspended while reported as fraud';

/** Leads cards to each end, as far as there are any. */
function outOfUse(requirement: string): Led {
  const leads = [
    closedCard.reads(requirement, 'closed: unsuspend'),
    Endings.loss.reads(requirement, 'lost: unsuspend'),
    activation.reads(requirement, whenUnused, 'unsuspended at its end'),
    Endings.fraudUnmarked.reads(requirement, whenFraud),
  ];
  return {
    name: 'closed, lost, unused, and with reported fraud',
    async lead(t) {
      const ends: Fact<unknown>[] = [];
      for (const lead of leads) ends.push(await attempt<unknown>(() => lead(t)));
      if (ends.every(({ isEnded }) => isEnded)) ends[0]!.get();
    },
    async again(t, card) {
      const { unused, fraud } = t.fixtures.cards ?? {};
      if (fraud?.includes(card)) return Endings.fraudUnmarked.again(t);
      if (unused?.includes(card)) return activation.again(t);
      return (t.run.history.timesAccepted('cards.close', card) > 0 ? closedCard : Endings.loss).again(t);
    },
    options: { phase: 'last' },
  };
}

const afterClosing = ['unsuspend', 'activate', 'other operations', 'markLost and activate', 'close'];
const onceClosed = afterClosing.map((name) => `closed: ${name}`);
const onceLost = ['unsuspend', 'activate', 'other operations', 'close'].map((name) => `lost: ${name}`);
const whileSuspended = ['cards.suspend: after', 'harmless operations', 'a payment to the suspended card'];

/** What a requirement expects of the readings of cards, and what leads cards there. */
interface Stated {
  expectation: Expectations.Expectation;
  led: readonly ((requirement: string) => Led)[];
}

const STATES: Readonly<Record<string, Stated>> = {
  'cards.suspend.not-active': {
    expectation: Expectations.suspendedIsNotActive,
    led: [
      suspended([...whileSuspended, 'still suspended', 'the other card suspended']),
      given(['gifts while suspended', 'unsuspended'], { applies: maySpend, isFurther: true }),
      activated(['ended'], { applies: Scope.isIrreversible, isFurther: true }),
      lived(['states while suspended', 'led'], { isFurther: true }),
    ],
  },
  'cards.unsuspend.active': {
    expectation: Expectations.unsuspendedIsActive,
    led: [
      suspended(['cards.unsuspend: after', 'read once unsuspended']),
      lived(['states once unsuspended', 'led']),
      given(['unsuspended', 'the state after a suspension'], { applies: maySpend, isFurther: true }),
    ],
  },
  'cards.unsuspend.leaves-others': { expectation: Expectations.unsuspendLeavesOthers, led: [outOfUse] },
  'cards.activate.active': {
    expectation: Expectations.activatedIsActive,
    led: [activated(['cards.activate: after', 'read once activated'])],
  },
  'cards.activate.leaves-closed': {
    expectation: Expectations.activateLeavesClosed,
    led: [
      closed(['closed: activate', 'closed: markLost and activate']),
      activated(['activated at its end'], { applies: Scope.isIrreversible, isFurther: true }),
      closedUnused(['cards.close: after', 'closed unused: activate'], { applies: Steps.triesEverything }),
    ],
  },
  'cards.close.not-active': {
    expectation: Expectations.closedIsNotActive,
    led: [closed(['cards.close: after']), activated(['ended'])],
  },
  'cards.close.stays-closed': { expectation: Expectations.closedStaysSo, led: [closed(onceClosed)] },
  'cards.markLost.not-active': { expectation: Expectations.lostIsNotActive, led: [lost(['cards.markLost: after'])] },
  'cards.markLost.refused-changes-nothing': { expectation: Expectations.refusedLeavesLost, led: [lost(onceLost)] },
};

/** Judges a requirement about the states of cards. */
export function statesOf(requirement: string): Monitor {
  const [operation] = /^cards\.\w+/.exec(requirement)!;
  return Monitors.statesOf(operation, STATES[requirement]!.expectation);
}

for (const [requirement, { led: ledBy }] of Object.entries(STATES)) {
  const [first, ...others] = ledBy.map((make) => make(requirement)) as [Led, ...Led[]];
  const monitor = statesOf(requirement);
  watch({ requirement, monitor, isSuspicion: true, isConfirmed: Steps.isShownByAnother });
  for (const { name, lead, again, options = {} } of [first, ...others])
    check(requirement, name, options, async (t) => {
      // What may not lead a card into the state at all, such as an end that rotates, comes beside what does.
      const driven = await attempt(async () => {
        if (lead === first.lead) return lead(t);
        await optional(lead(t));
        return first.lead(t);
      });
      await expectKept(t, monitor, { where: name, driven, tryAgain: Steps.triedWithOthers(again) });
    });
}
