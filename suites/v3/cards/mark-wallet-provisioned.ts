/** A card marked as provisioned to a wallet says so from then on, with the date (readings 7, 10 and 26). */
import { numbers } from '../../../contracts/numbers.ts';
import { ACTIVE } from '../../../contracts/v3/cards.ts';
import { member, succeeded } from '../../../helpers/answer.ts';
import * as Credentials from '../../../helpers/client/credentials.ts';
import type { TryAgain } from '../../../helpers/engine/monitor.ts';
import * as Retrial from '../../../helpers/engine/retrial.ts';
import { expectSuccess, requireAccepted } from '../../../helpers/expect.ts';
import { fail, inconclusive } from '../../../helpers/verdict.ts';
import { monitored, watch } from '../../declare.ts';
import * as Excuses from './excuses.ts';
import * as ProvisionedMonitors from './provisioned-monitors.ts';
import { isProvisioned } from './scenarios/provisioning.ts';
import { gifts } from './scenarios/wallet-pin-reissue.ts';

const WALLET = 'cards.markWalletProvisioned';

gifts.check(
  'cards.markWalletProvisioned.required-only',
  'an Active card',
  ['untouched', 'marked'],
  async (t, { before, ...facts }, again) => {
    const answer = facts.marked.get();
    if (!succeeded(answer)) {
      if (before === true) inconclusive(`${WALLET} is refused for a card that is provisioned already`);
      const { status = ACTIVE } = facts.untouched.value ?? {};
      if (status !== ACTIVE) inconclusive(`${WALLET} is refused, and the card is ${status} at that time`);
      await Excuses.requireRefusedForOthers(t, WALLET, async () => (await again()).marked.get());
    }
    Excuses.requirePinTried(t, answer);
    expectSuccess(answer, 'the provisioning of an Active card');
  },
);

/** How a card that was marked is shown not to be provisioned, if it is. */
function lostIn({ record, seen }: Pick<Played, 'record' | 'seen'>): string | undefined {
  if (isProvisioned(record.value) === false) return 'says that it is not';
  return seen.get().find(({ is }) => is.value === false)?.how;
}
type Played = Awaited<ReturnType<typeof gifts.first>>;

gifts.check(
  'cards.markWalletProvisioned.provisioned',
  'isProvisionedToWallet of the record',
  ['untouched', 'marked', 'record', 'seen'],
  async (t, { before, untouched, marked, ...facts }, again) => {
    requireAccepted(marked.get(), 'the provisioning of an Active card');
    const how = lostIn(facts);
    if (how !== undefined) {
      const message = `a card that is provisioned ${how}`;
      const retrial = await Retrial.shownByAnother(t, message, async () => lostIn(await again()) !== undefined);
      const pointer = how.includes('listed') ? '/results/isProvisionedToWallet' : '/isProvisionedToWallet';
      fail(message, 'true', 'false', { pointer, retrial });
    }
    if (isProvisioned(facts.record.get()) !== true)
      inconclusive('the record of the card carries no isProvisionedToWallet');
    if (before === true || isProvisioned(untouched.get().record) === true)
      inconclusive('the card was provisioned before');
  },
);

/** Reads the record again, as long as it says that the card is not provisioned: a replica may lag. */
const readAgain: TryAgain = async (t, [stands]) => {
  const { operation, input } = stands.by.at(-1)!;
  const read = () => t.call(operation.id, input, { intent: 'refusable' });
  const record = await t.confirmed(read, (now) => isProvisioned(now) !== false);
  if (isProvisioned(record) !== false) inconclusive(`${stands.message}, but not when it is read again`);
  return { stands };
};

const requirement = 'cards.markWalletProvisioned.provisioned';
const stays = monitored(requirement, ProvisionedMonitors.staysProvisioned(ProvisionedMonitors.shownByRecord), {
  tryAgain: readAgain,
});
watch({
  requirement,
  monitor: ProvisionedMonitors.staysProvisioned(ProvisionedMonitors.shownAnywhere),
  isSuspicion: true,
  isConfirmed: ProvisionedMonitors.isStaying,
});
const afterwards = ['seen', 'gifts while suspended', 'the state after a suspension'];
stays('whatever else is done to it', {}, gifts.reads(requirement, ...afterwards));

gifts.check(
  'cards.markWalletProvisioned.date-about-now',
  'provisionedDate of the record',
  ['marked', 'record'],
  (t, facts) => {
    const [answer, record] = [facts.marked.get(), facts.record.get()];
    requireAccepted(answer, 'the provisioning of an Active card');
    if (facts.before === true) inconclusive('the card was provisioned before');
    const given = isProvisioned(record) === true && member(record!, 'provisionedDate');
    if (typeof given !== 'string') inconclusive('the record of the card carries no provisionedDate');
    // Without an offset the time zone is unknown: a day either way.
    const tolerance = /(Z|[+-]\d\d:?\d\d)$/i.test(given) ? numbers.provisioned : 86_400_000;
    const isAbout = (now: number) => Math.abs(Date.parse(given) - now) <= tolerance;
    const byDate = Credentials.answeredOn(answer) * 1000;
    if (isAbout(byDate)) return;
    // An earlier run may have moved the clock, of which Date, of the server in front, shows nothing (reading 14).
    const { offset } = t.run.client.tokens;
    if (offset === undefined) inconclusive('no token shows where the clock of the target stands');
    const now = byDate + offset * 1000;
    if (isAbout(now)) return;
    const message = `a card that is provisioned now has the date ${given}`;
    fail(message, new Date(now).toISOString(), given, { pointer: '/provisionedDate' });
  },
);
