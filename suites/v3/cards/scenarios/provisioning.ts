/** Provisioning of a card to a wallet, as its record, a listing and a look-up show it. */
import { type Answer, entries, type Intent, member, memberOf, succeeded } from '../../../../helpers/answer.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import type { Context } from '../../../../helpers/check.ts';
import { attempt, type Step, values } from '../../../../helpers/verdict.ts';
import { identifiersOf } from '../../../shared/identifiers.ts';
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
  /** isProvisionedToWallet of the card looked up by its proxy; undefined if the fixtures name no program of the card. */
  byProxy: Step<unknown>;
  /** isProvisionedToWallet of the card among the related cards of another one, or its own; undefined if it is not among them. */
  related: Step<unknown>;
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
  const isRead = isDone && t.needs('cards.markWalletProvisioned.provisioned');
  if (isDone) {
    const again = await attempt(() => ask('refusable'));
    for (const one of values([again])) t.observe('cards.markWalletProvisioned', 'on a card that is provisioned', one);
    // Reading the balance refreshes the stored record and must not change anything else in it.
    await attempt(() => t.balance(identifier));
  }
  const listed = await attempt(async () => (isRead ? provisionedInListing(t, card) : undefined));
  const byToken = await attempt(async () => (isRead ? provisionedByToken(t, identifier) : undefined));
  const byProxy = await attempt(async () => (isRead ? provisionedByProxy(t, record()!) : undefined));
  const related = await attempt(async () => (isRead ? provisionedAmongRelated(t, identifier) : undefined));
  const date = () => (isDone ? member(record()!, 'provisionedDate') : undefined);
  return { answer, after, date, listed, byToken, byProxy, related };
}

/** isProvisionedToWallet of a card in a listing; undefined if it is not listed. */
const provisionedAmong = (listing: Answer, identifier: string): unknown =>
  memberOf(
    entries(listing).find((card) => memberOf(card, 'identifier') === identifier),
    'isProvisionedToWallet',
  );

/** isProvisionedToWallet of the card in the listing of its customer's cards. */
async function provisionedInListing(t: Context, { identifier, record }: LeasedCard): Promise<unknown> {
  const customerIdentifier = record && member(record, 'customerIdentifier');
  const query = typeof customerIdentifier === 'string' ? { max: 50, customerIdentifier } : { max: 50 };
  const read = async () => {
    return provisionedAmong(await t.call('cards.list', { query }, { intent: 'refusable' }), identifier);
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

/** isProvisionedToWallet where the card is looked up by its proxy: which program it is of, and whether it is digital, is not shown. */
async function provisionedByProxy(t: Context, record: Answer): Promise<unknown> {
  const [identifier, proxy] = [member(record, 'identifier'), member(record, 'proxyNumber')];
  const { byProxy, filters } = t.fixtures.cards ?? {};
  const programs = [byProxy?.programIdentifier, filters?.programIdentifier].filter((one) => one !== undefined);
  if (typeof proxy !== 'string' || proxy === '' || programs.length === 0) return undefined;
  for (const programIdentifier of t.rotated('the program of a provisioned card', [...new Set(programs)]))
    for (const isDigital of [false, true]) {
      const lookUp = { path: { identifier: proxy }, query: { byProxy: true, programIdentifier, isDigital } };
      const find = () => t.call('cards.get', lookUp, { intent: 'refusable' });
      const found = await find();
      if (!succeeded(found) || member(found, 'identifier') !== identifier) continue;
      return t.shown(
        async () => isProvisioned(await find()),
        (now) => now !== false,
      );
    }
  return undefined;
}

/** isProvisionedToWallet where the cards are listed that are related to one to which the card is, or to itself. */
async function provisionedAmongRelated(t: Context, identifier: string): Promise<unknown> {
  const relatedTo = (card: string) =>
    t.call('cards.listRelated', { path: { identifier: card } }, { intent: 'refusable' });
  const related = entries(await relatedTo(identifier));
  if (related.length === 0) return undefined;
  const [other = identifier] = identifiersOf(related).filter((one) => one !== identifier);
  return t.shown(
    async () => provisionedAmong(await relatedTo(other), identifier),
    (now) => now !== false,
  );
}
