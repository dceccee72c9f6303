/** What cards show to be after what was asked of them (readings 10, 28 and 29): each check leads a card, and a monitor judges what was read. */
import { describe, succeeded } from '../../../helpers/answer.ts';
import type { CheckOptions, Context, Scenario } from '../../../helpers/check.ts';
import * as Scope from '../../../helpers/configuration/scope.ts';
import { expectKept, knownOf, type TryAgain } from '../../../helpers/engine/monitor.ts';
import * as Retrial from '../../../helpers/engine/retrial.ts';
import type { Shown } from '../../../helpers/evidence/monitor.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { attempt, fail, inconclusive, values } from '../../../helpers/verdict.ts';
import { check, monitored, watch } from '../../declare.ts';
import { lives } from './lives.ts';
import { anotherClosed, closedCard } from './scenarios/closing.ts';
import * as Endings from './scenarios/endings.ts';
import * as Steps from './scenarios/steps.ts';
import { suspension } from './scenarios/suspension.ts';
import { TRANSITIONS } from './scenarios/transitions.ts';
import * as WalletPinReissue from './scenarios/wallet-pin-reissue.ts';
import { refreshedByStatus, statesOf } from './states/monitor.ts';

/** What leads cards into the states that a requirement is about, and what leads others likewise; it is given the first of them. */
interface Led {
  name: string;
  lead: (t: Context) => Promise<unknown>;
  again: (t: Context, card: string) => Promise<unknown>;
  options?: CheckOptions;
}

/** Of a scenario that is played, and once more on other cards. */
const led = <T>(
  name: string,
  played: Scenario<T>,
  again = Steps.onceMore(played),
  options: CheckOptions = {},
): Led => ({
  name,
  lead: (t) => t.shared(played),
  again: (t) => t.shared(again),
  options,
});

const suspended = led('suspended, asked to pay and to be paid, and unsuspended', suspension.first);
const lived = led('in lives of cards', lives.first);
const closed = led('closed, and whatever is asked of it then', closedCard, anotherClosed);
const lost = led('marked lost, and asked for other things', Endings.loss);
const activated = led('activated, and brought to an end', Endings.activation);
const spent = led('suspended, given a wallet and a PIN', WalletPinReissue.first, WalletPinReissue.again, {
  applies: WalletPinReissue.maySpend,
});

/** Leads cards to each end, as far as there are any. */
const outOfUse: Led = {
  name: 'closed, lost, unused, and with reported fraud',
  async lead(t) {
    const ends = [];
    for (const scenario of [closedCard, Endings.loss, Endings.activation, Endings.fraudUnmarked])
      ends.push(await attempt<unknown>(() => t.shared<unknown>(scenario)));
    if (values(ends).length === 0) ends[0]!();
  },
  async again(t, card) {
    const { unused, fraud } = t.fixtures.cards ?? {};
    if (fraud?.includes(card)) return TRANSITIONS['cards.unmarkFraud'].again(t);
    if (unused?.includes(card)) return activated.again(t, card);
    return (t.run.history.timesAccepted('cards.close', card) > 0 ? closed : lost).again(t, card);
  },
  options: { phase: 'last' },
};

const LED: Readonly<Record<string, readonly [Led, ...Led[]]>> = {
  'cards.suspend.not-active': [suspended, spent, { ...activated, options: { applies: Scope.isIrreversible } }, lived],
  'cards.unsuspend.active': [suspended, lived],
  'cards.unsuspend.leaves-others': [outOfUse],
  'cards.activate.active': [activated],
  'cards.activate.leaves-closed': [closed],
  'cards.close.not-active': [closed, activated],
  'cards.close.stays-closed': [closed],
  'cards.markLost.not-active': [lost],
  'cards.markLost.refused-changes-nothing': [lost],
};

const cardOf = ({ by }: Shown) => by.at(-1)!.input.path?.identifier ?? '';

/** Leads cards once more, others where there are any, unless a second one shows the same already: what somebody else did to one hardly shows again (reading 47). */
const withOthers =
  (again: Led['again']): TryAgain =>
  async (t, [stands], monitor) => {
    const isShown = (isMeant: (one: Shown) => boolean) =>
      [...monitor(t.run.answers, knownOf(t))].some((one) => one.shows === 'contradiction' && isMeant(one));
    if (isShown((one) => cardOf(one) !== cardOf(stands))) return { stands };
    const before = new Set(t.run.answers);
    const retrial = await Retrial.shownByAnother(t, stands.message, async () => {
      await again(t, cardOf(stands));
      return isShown(({ by }) => !before.has(by.at(-1)!));
    });
    return { stands, ...(retrial && { retrial }) };
  };

for (const [requirement, [first, ...others]] of Object.entries(LED)) {
  const monitor = statesOf(requirement);
  watch({ requirement, monitor, isSuspicion: true });
  for (const { name, lead, again, options = {} } of [first, ...others])
    check(requirement, name, options, async (t) => {
      // What may not lead a card into the state at all, such as an end that rotates, comes beside what does.
      const driven = await attempt(async () => {
        if (lead === first.lead) return lead(t);
        await attempt(() => lead(t));
        return first.lead(t);
      });
      await expectKept(t, monitor, { where: name, driven, tryAgain: withOthers(again) });
    });
}

const refreshes = monitored('cards.getStatus.refreshes-record', refreshedByStatus, { isSuspicion: true });
refreshes(suspended.name, {}, suspended.lead);

check('cards.suspend.record-readable', 'after the suspension', async (t) => {
  const recordOf = ({ answer, after }: Steps.Transition) => (succeeded(answer()) ? after().record : undefined);
  const { suspend, partner } = (await t.shared(suspension.first)).facts;
  const record = recordOf(suspend) ?? inconclusive('the card is not suspended, or cards.get not in scope');
  if (succeeded(record)) return;
  const message = 'the record of a suspended card cannot be read';
  const again = async () => {
    const another = recordOf(await TRANSITIONS['cards.suspend'].again(t));
    return another !== undefined && !succeeded(another);
  };
  const retrial = await Retrial.shownByAnother(t, message, again, { mustBeTried: true });
  requireAccepted(await Steps.ask(t, 'cards.get', partner), 'the record of an Active card');
  fail(message, 'success', describe(record), { in: record, retrial });
});
