/** What cards show to be after what was asked of them (readings 10, 28 and 29): each check leads a card, and a monitor judges what was read. */
import type { CheckOptions, Context, Scenario } from '../../../helpers/check.ts';
import * as Scope from '../../../helpers/configuration/scope.ts';
import { expectKept } from '../../../helpers/engine/monitor.ts';
import { attempt } from '../../../helpers/verdict.ts';
import { check, watch } from '../../declare.ts';
import { lives } from './lives.ts';
import { anotherClosed, closedCard } from './scenarios/closing.ts';
import * as Endings from './scenarios/endings.ts';
import * as Steps from './scenarios/steps.ts';
import { suspension } from './scenarios/suspension.ts';
import { TRANSITIONS } from './scenarios/transitions.ts';
import { gifts, maySpend } from './scenarios/wallet-pin-reissue.ts';
import { statesOf } from './states/monitors.ts';

/** What leads cards into the states that a requirement is about, and what leads others likewise; it is given the first of them. */
interface Led {
  name: string;
  lead: (t: Context) => Promise<unknown>;
  again: (t: Context, card: string) => Promise<unknown>;
  options?: CheckOptions;
}

/** Of a scenario that is played, and once more on other cards. */
const led = <T>(name: string, played: Scenario<T>, again = Steps.onceMore(played)): Led => ({
  name,
  lead: (t) => t.shared(played),
  again: (t) => t.shared(again),
});

const suspended = led('suspended, asked to pay and to be paid, and unsuspended', suspension.first);
const lived = led('in lives of cards', lives.first);
const closed = led('closed, and whatever is asked of it then', closedCard, anotherClosed);
const lost = led('marked lost, and asked for other things', Endings.loss);
const activated = led('activated, and brought to an end', Endings.activation);
const spent = {
  ...led('suspended, given a wallet and a PIN', gifts.first, gifts.again),
  lead: gifts.reads('cards.suspend.not-active', 'gifts while suspended'),
  options: { applies: maySpend },
};

/** Leads cards to each end, as far as there are any. */
const outOfUse: Led = {
  name: 'closed, lost, unused, and with reported fraud',
  async lead(t) {
    const ends = [];
    for (const scenario of [closedCard, Endings.loss, Endings.activation, Endings.fraudUnmarked])
      ends.push(await attempt<unknown>(() => t.shared<unknown>(scenario)));
    if (ends.every(({ isEnded }) => isEnded)) ends[0]!.get();
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
      await expectKept(t, monitor, { where: name, driven, tryAgain: Steps.triedWithOthers(again) });
    });
}
