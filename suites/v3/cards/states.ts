/** What cards show to be after what was asked of them (readings 10, 28 and 29): each check leads a card, and a monitor judges what was read. */
import { describe, succeeded } from '../../../helpers/answer.ts';
import type { CheckOptions, Context } from '../../../helpers/check.ts';
import { isIrreversible } from '../../../helpers/configuration/scope.ts';
import { shownByAnother } from '../../../helpers/engine/retrial.ts';
import { requireAccepted } from '../../../helpers/expect.ts';
import { attempt, fail, inconclusive, values } from '../../../helpers/verdict.ts';
import { check, monitored } from '../../declare.ts';
import { lives } from './lives.ts';
import { closedCard } from './scenarios/closing.ts';
import { activation, fraudUnmarked, loss } from './scenarios/endings.ts';
import { suspension } from './scenarios/suspension.ts';
import type { Transition } from './scenarios/transition.ts';
import { TRANSITIONS } from './scenarios/transitions.ts';
import { maySpend, walletPinReissue } from './scenarios/wallet-pin-reissue.ts';
import { refreshedByStatus, statesOf } from './states/monitor.ts';

/** What leads cards into the states that a requirement is about. */
type Led = readonly [name: string, lead: (t: Context) => Promise<unknown>, options?: CheckOptions];

const suspended: Led = ['suspended, asked to pay and to be paid, and unsuspended', (t) => t.shared(suspension.first)];
const lived: Led = ['in lives of cards', (t) => t.shared(lives.first)];
const closed: Led = ['closed, and whatever is asked of it then', (t) => t.shared(closedCard)];
const lost: Led = ['marked lost, and asked for other things', (t) => t.shared(loss)];
const activated: Led = ['activated, and brought to an end', (t) => t.shared(activation)];
const spent: Led = ['suspended, given a wallet and a PIN', (t) => t.shared(walletPinReissue), { applies: maySpend }];

/** Leads cards to each end, as far as there are any. */
const outOfUse: Led = [
  'closed, lost, unused, and with reported fraud',
  async (t) => {
    const ends = [];
    for (const scenario of [closedCard, loss, activation, fraudUnmarked])
      ends.push(await attempt<unknown>(() => t.shared<unknown>(scenario)));
    if (values(ends).length === 0) ends[0]!();
  },
  { phase: 'last' },
];

const LED: Readonly<Record<string, readonly [Led, ...Led[]]>> = {
  'cards.suspend.not-active': [suspended, spent, [activated[0], activated[1], { applies: isIrreversible }], lived],
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
  const shows = monitored(requirement, statesOf(requirement), { isSuspicion: true });
  const [name, lead, options = {}] = first;
  shows(name, options, lead);
  // What may not lead a card into the state at all, such as an end that rotates, comes beside what does.
  for (const [name, leadAnother, options = {}] of others)
    shows(name, options, async (t) => {
      await attempt(() => leadAnother(t));
      await lead(t);
    });
}

const refreshes = monitored('cards.getStatus.refreshes-record', refreshedByStatus, { isSuspicion: true });
refreshes(suspended[0], {}, suspended[1]);

check('cards.suspend.record-readable', 'after the suspension', async (t) => {
  const recordOf = ({ answer, after }: Transition) => (succeeded(answer()) ? after().record : undefined);
  const { suspend, partner } = (await t.shared(suspension.first)).facts;
  const record = recordOf(suspend) ?? inconclusive('the card is not suspended, or cards.get not in scope');
  if (succeeded(record)) return;
  const message = 'the record of a suspended card cannot be read';
  const again = async () => {
    const another = recordOf(await TRANSITIONS['cards.suspend'].again(t));
    return another !== undefined && !succeeded(another);
  };
  const retrial = await shownByAnother(t, message, again, { mustBeTried: true });
  const control = await t.call('cards.get', { path: { identifier: partner } }, { intent: 'refusable' });
  requireAccepted(control, 'the record of an Active card');
  fail(message, 'success', describe(record), { in: record, retrial });
});
