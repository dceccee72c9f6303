/** Provisioning of a card to a wallet, as its record, a listing and a look-up show it. */
import { type Answer, entries, type Intent, member, memberOf, succeeded } from '../../../../helpers/answer.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import type { Context } from '../../../../helpers/context.ts';
import { outcomeInWords } from '../../../shared/observed.ts';
import { attempt, type Step, values } from '../../../shared/step.ts';
import { inAnyWay, waysOf } from './transition.ts';

/** The outcome of marking a card as provisioned. */
export interface Provisioning {
  answer: Step<Answer>;
  /** isProvisionedToWallet of the record afterwards. */
  after: Step<unknown>;
  /** provisionedDate of the record afterwards. */
  date: Step<unknown>;
  /** isProvisionedToWallet of the card in a listing of its customer's cards; undefined where none shows it. */
  listed: Step<unknown>;
  /** isProvisionedToWallet of the card looked up by a temporary token. */
  byToken: Step<unknown>;
}

/** isProvisionedToWallet of a record; undefined where there is no record, or it doesn't say. */
export const isProvisioned = (record: Answer | undefined): unknown => record && member(record, 'isProvisionedToWallet');

/** Marks a card as provisioned, in every way a target may require, and reads it wherever that shows. */
export async function provision(t: Context, card: LeasedCard): Promise<Provisioning> {
  const { identifier } = card;
  const intent = isProvisioned(card.record) === true ? 'refusable' : 'valid';
  const ask = (as: Intent) => t.call('cards.markWalletProvisioned', { path: { identifier } }, { intent: as });
  const answer = await attempt(() => inAnyWay(t, () => ask(intent), waysOf(t, identifier)));
  const record = await attempt(() =>
    t.shown(
      async () => (await t.state(identifier)).record,
      (now) => !succeeded(answer()) || isProvisioned(now) !== false,
    ),
  );
  const after = () => isProvisioned(record());
  const isDone = values([after]).includes(true);
  if (isDone) {
    const again = await attempt(() => ask('refusable'));
    for (const one of values([again]))
      t.observe('cards.markWalletProvisioned', 'on a card that is provisioned', outcomeInWords(one));
    // Reading the balance refreshes the stored record and must not change anything else in it.
    await attempt(() => t.balance(identifier));
  }
  const listed = await attempt(async () => (isDone ? provisionedInListing(t, card) : undefined));
  const byToken = await attempt(async () => (isDone ? provisionedByToken(t, identifier) : undefined));
  const date = () => (isDone ? member(record()!, 'provisionedDate') : undefined);
  return { answer, after, date, listed, byToken };
}

/** isProvisionedToWallet of the card in the listing of its customer's cards. */
async function provisionedInListing(t: Context, { identifier, record }: LeasedCard): Promise<unknown> {
  const customerIdentifier = record && member(record, 'customerIdentifier');
  const query = typeof customerIdentifier === 'string' ? { max: 50, customerIdentifier } : { max: 50 };
  const read = async () => {
    const listing = await t.call('cards.list', { query }, { intent: 'refusable' });
    const listed = entries(listing).find((card) => memberOf(card, 'identifier') === identifier);
    return memberOf(listed, 'isProvisionedToWallet');
  };
  return t.shown(read, (now) => now !== false);
}

/** isProvisionedToWallet of the card looked up by a temporary token. */
async function provisionedByToken(t: Context, identifier: string): Promise<unknown> {
  const token = member(await t.call('cards.createToken', { path: { identifier } }, { intent: 'refusable' }), 'token');
  if (typeof token !== 'string' || token === '') return undefined;
  const lookUp = { path: { identifier: token }, query: { byToken: true } };
  const read = async () => isProvisioned(await t.call('cards.get', lookUp, { intent: 'refusable' }));
  return t.shown(read, (now) => now !== false);
}
