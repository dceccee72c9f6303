/** A disposable card provisioned to a wallet, given a PIN and reissued: what it can bear before it is marked lost or closed. */
import { type Answer, entries, type Input, member, memberOf, succeeded } from '../../../../helpers/answer.ts';
import { amount, type CardState, isActive } from '../../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import { scenario } from '../../../../helpers/check.ts';
import { operationInScope } from '../../../../helpers/configuration/scope.ts';
import type { Context } from '../../../../helpers/context.ts';
import { requireAccepted } from '../../../../helpers/expect.ts';
import { tonights } from '../../../../helpers/rotation.ts';
import { inconclusive, skip } from '../../../../helpers/verdict.ts';
import { amountRule, plainAmount } from '../../../shared/amounts.ts';
import { callWithBadTokens, type Probe } from '../../../shared/bad-tokens.ts';
import { outcomeInWords } from '../../../shared/observed.ts';
import { attempt, type Step, values } from '../../../shared/step.ts';
import { allMisnamed, exists } from '../../../shared/unknown-names.ts';
import { acceptedForm, type BalanceChanges, Balances, type TransferAttempt } from './balances.ts';
import { inAnyWay, onceMore, waysOf } from './transition.ts';

/** What an operation with a body refuses, and that it takes a whole one. */
export interface BodyFacts {
  badly: Step<Probe[]>;
  /** Zero bytes, declared as JSON and not. */
  missing: Step<Answer[]>;
  mistyped: Step<Answer[]>;
  /** The last of the whole ones that were tried. */
  answer: Step<Answer>;
}

export interface WalletFacts {
  badly: Step<Probe[]>;
  /** isProvisionedToWallet of the record: before, after the calls with bad tokens, and after the one with a good token. */
  before: unknown;
  untouched: Step<unknown>;
  /** Status of the card after the calls with bad tokens. */
  status: Step<string | undefined>;
  answer: Step<Answer>;
  after: Step<unknown>;
  /** provisionedDate of the record afterwards. */
  date: Step<unknown>;
  /** isProvisionedToWallet of the card in a listing of its customer's cards; undefined where none shows it. */
  listed: Step<unknown>;
  /** The same of the card looked up by a temporary token. */
  byToken: Step<unknown>;
}

/** isProvisionedToWallet where the cards of the card's customer are listed. */
async function provisionedInListing(t: Context, { identifier, record }: LeasedCard): Promise<unknown> {
  const customerIdentifier = record && member(record, 'customerIdentifier');
  const query = typeof customerIdentifier === 'string' ? { max: 50, customerIdentifier } : { max: 50 };
  const listing = await t.call('cards.list', { query }, { intent: 'refusable' });
  const listed = entries(listing).find((card) => memberOf(card, 'identifier') === identifier);
  return memberOf(listed, 'isProvisionedToWallet');
}

/** isProvisionedToWallet where the card is looked up by a temporary token. */
async function provisionedByToken(t: Context, identifier: string): Promise<unknown> {
  const token = member(await t.call('cards.createToken', { path: { identifier } }, { intent: 'refusable' }), 'token');
  if (typeof token !== 'string' || token === '') return undefined;
  const lookUp = { path: { identifier: token }, query: { byToken: true } };
  return t.shown(
    async () => isProvisioned(await t.call('cards.get', lookUp, { intent: 'refusable' })),
    (now) => now !== false,
  );
}

const isProvisioned = (record: Answer | undefined): unknown => record && member(record, 'isProvisionedToWallet');

/** Requests for what resembles the identifier of a card, and names nothing: of each operation, or of the one of this night. */
async function misnamedOnes(t: Context, card: string, bodies: Record<string, object | undefined>): Promise<Probe[]> {
  const probes: Probe[] = [];
  for (const operation of tonights(t.run, 'cards: operations on misnamed cards', Object.keys(bodies)))
    for (const { name, identifier } of allMisnamed(t, operation, card)) {
      if (await exists(t, operation, identifier)) continue;
      const input = { path: { identifier }, json: bodies[operation] };
      probes.push({ name, answer: await t.call(operation, input, { intent: 'unknown' }) });
    }
  return probes;
}

export const walletPinReissue = scenario('a card provisioned, given a PIN and reissued', async (t) => {
  const isNew = (card: LeasedCard) => isProvisioned(card.record) !== true;
  const request = { pool: 'disposable', prefers: isNew } as const;
  const [[card], [partner]] = (await t
    .lease(request, { pool: 'active' })
    .catch(async () => [...(await t.lease(request)), []])) as [[LeasedCard], [LeasedCard?]];
  const path = { identifier: card.identifier };
  const inOrder = (operation: string, inputs: readonly Omit<Input, 'path'>[]) =>
    attempt(async () => {
      const answers: Answer[] = [];
      for (const input of inputs) answers.push(await t.call(operation, { path, ...input }, { intent: 'malformed' }));
      return answers;
    });
  /** What is refused goes first: what is accepted may change what the card takes. */
  const refusals = async (operation: string, whole: object, mistyped: readonly object[]) => ({
    badly: await attempt(() => callWithBadTokens(t, operation, { path, json: whole })),
    missing: await inOrder(operation, [{}, { emptyJson: true }]),
    mistyped: await inOrder(
      operation,
      mistyped.map((json) => ({ json })),
    ),
  });
  const pins = somePins();
  const externalIdentifier = String(Date.now()).slice(-12);

  const badWallet = await attempt(() => callWithBadTokens(t, 'cards.markWalletProvisioned', { path }));
  const pinRefusals = await refusals('cards.setPin', { pin: pins[0] }, [{ pin: Number(pins[0]) }, { pin: [pins[0]] }]);
  const untouched = await attempt(async () => {
    await t.settle();
    return t.confirmed(
      () => t.state(card.identifier),
      ({ record }) => isProvisioned(record) === isProvisioned(card.record),
    );
  });

  const misnamed = await attempt(() =>
    misnamedOnes(t, card.identifier, {
      'cards.markWalletProvisioned': undefined,
      'cards.setPin': { pin: pins[0] },
      'cards.reissue': { externalIdentifier },
    }),
  );

  const answer = await attempt(() =>
    inAnyWay(
      t,
      () => t.call('cards.markWalletProvisioned', { path }, { intent: isNew(card) ? 'valid' : 'refusable' }),
      waysOf(t, card.identifier),
    ),
  );
  const recordAfter = await attempt(() =>
    t.shown(
      async () => (await t.state(card.identifier)).record,
      (record) => !succeeded(answer()) || isProvisioned(record) !== false,
    ),
  );
  const after = () => isProvisioned(recordAfter());
  const isDone = values([after]).includes(true);
  // Reading the balance refreshes the stored record, and nothing else of it.
  if (isDone) await attempt(() => t.balance(card.identifier));
  const listed = await attempt(() =>
    t.shown(
      async () => (isDone ? provisionedInListing(t, card) : undefined),
      (now) => now !== false,
    ),
  );
  const shownByToken = await attempt(async () => (isDone ? provisionedByToken(t, card.identifier) : undefined));
  const setPin = await attempt(() => setSomePin(t, card.identifier, pins));
  // May be refused, as a PIN that is easily guessed, but is none that the target may fail at.
  await attempt(() => setSomePin(t, card.identifier, [`0${pins[0].slice(1)}`, pins[1]]));
  // Last: a target may take an identifier of another type, and a card that is reissued out of use.
  const reissueRefusals = await refusals('cards.reissue', { externalIdentifier }, [
    { externalIdentifier: 1 },
    { externalIdentifier: [externalIdentifier] },
  ]);
  const reissue = await attempt(() =>
    t.call('cards.reissue', { path, json: { externalIdentifier } }, { intent: 'refusable' }),
  );
  for (const operation of ['cards.setPin', 'cards.reissue'])
    await attempt(async () => {
      const empty = await t.call(operation, { path, json: {} }, { intent: 'refusable' });
      t.observe(operation, 'an object without members', outcomeInWords(empty));
    });
  const suspended = await attempt(() => suspendedMeanwhile(t, card, partner));
  return {
    suspended,
    misnamed,
    wallet: {
      badly: badWallet,
      before: isProvisioned(card.record),
      untouched: () => isProvisioned(untouched().record),
      status: () => untouched().status,
      answer,
      after,
      date: () => (isDone ? member(recordAfter()!, 'provisionedDate') : undefined),
      listed,
      byToken: shownByToken,
    } satisfies WalletFacts,
    setPin: { ...pinRefusals, answer: setPin } satisfies BodyFacts,
    reissue: { ...reissueRefusals, answer: reissue } satisfies BodyFacts,
  };
});

/** The same with another card. */
export const walletAgain = onceMore(walletPinReissue);

/** A card that is suspended, and what it is given and asked to pay meanwhile. */
export interface SuspendedMeanwhile {
  card: string;
  /** The card that it is asked to pay: what the suspended one loses may be a charge. */
  partner: string;
  /** Asked for before anything was read of the suspended card, and once it was given a PIN and provisioned. */
  pays: readonly TransferAttempt[];
  /** The state of the card afterwards. */
  after: CardState;
  /** Whether it was provisioned while it was suspended, and says after the PIN that it is not. */
  isNoLongerProvisioned: boolean;
  late: BalanceChanges;
  /** Whether the balances change by themselves. */
  drift: Step<boolean>;
}

/** Suspends the card, which never paid before, and gives it a wallet and a PIN: neither ends the suspension. */
async function suspendedMeanwhile(
  t: Context,
  { identifier: card }: LeasedCard,
  partner: LeasedCard | undefined,
): Promise<SuspendedMeanwhile> {
  if (!partner) inconclusive('no active card is there to be paid');
  if (!operationInScope(t.run.configuration, 'cards.unsuspend'))
    skip('needs cards.unsuspend, which is not in scope, to undo a suspension');
  const balances = new Balances(t, [card, partner.identifier]);
  const { cents, members } = acceptedForm(t) ?? { cents: plainAmount(amountRule(t), 0), members: {} };
  if ((await balances.of(card)) < cents)
    await balances.pay(partner.identifier, card, cents, members, { intent: 'refusable' });
  if ((await balances.of(card)) < cents) inconclusive('the card has no balance to pay from');
  const pay = () => {
    const json = { ...members, targetCardIdentifier: partner.identifier, amount: amount(cents) };
    return balances.attempt(card, { json }, { intent: 'refusable' }, cents);
  };
  const suspension = await t.call('cards.suspend', { path: { identifier: card } }, { intent: 'refusable' });
  requireAccepted(suspension, 'the suspension');
  await t.settle();
  const pays = [await pay()];
  const path = { identifier: card };
  const provisioning = await t.call('cards.markWalletProvisioned', { path }, { intent: 'refusable' });
  await setSomePin(t, card);
  const losesWallet = ({ record }: CardState) => succeeded(provisioning) && isProvisioned(record) === false;
  const after = await t.confirmed(
    () => t.state(card),
    (state) => !isActive(state) && !losesWallet(state),
  );
  pays.push(await pay());
  await t.settle();
  return {
    card,
    partner: partner.identifier,
    pays,
    after,
    isNoLongerProvisioned: losesWallet(after),
    late: await balances.late(),
    drift: await attempt(() => balances.drifts()),
  };
}

/** Sets a PIN of four digits, or of six where that is refused. */
export async function setSomePin(t: Context, identifier: string, [four, six] = somePins()): Promise<Answer> {
  const set = (pin: string) => t.call('cards.setPin', { path: { identifier }, json: { pin } }, { intent: 'refusable' });
  const answer = await set(four);
  return succeeded(answer) ? answer : set(six);
}

/** A PIN of four digits and one of six, in case a target wants longer ones: no year, no row and no repetition, others in each run. */
function somePins(): [string, string] {
  const pins = ['3917', '4826', '5173', '6284', '7395', '8162', '9538'];
  const pin = pins[Math.floor(Math.random() * pins.length)]!;
  return [pin, `${pin}60`];
}
