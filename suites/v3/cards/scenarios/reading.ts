/** Cards read in every documented way, gathered once, preferably from cards in a known state. */
import { ACTIVE, CARD_READINGS } from '../../../../contracts/v3/cards.ts';
import { type Answer, type Intent, succeeded } from '../../../../helpers/answer.ts';
import { isActive } from '../../../../helpers/cards/card-state.ts';
import { identifiersOf, pooledCards } from '../../../../helpers/cards/discovery.ts';
import { type Context, scenario } from '../../../../helpers/check.ts';
import { NOT_JSON } from '../../../../helpers/engine/rows.ts';
import { inconclusive, optional } from '../../../../helpers/verdict.ts';
import { life } from '../../../declare.ts';
import { givenToken } from '../../../shared/identifiers.ts';
import * as KnownCards from '../../../shared/known-cards.ts';
import * as Requests from '../../../shared/requests.ts';
import * as Steps from './steps.ts';

/** Operations that read one card, as far as checks name them. */
export type Plain = 'cards.getBalance' | 'cards.getStatus' | 'cards.get' | 'cards.createToken' | 'cards.listRelated';

/** Operations that read one card by its identifier alone; cards.get follows those that refresh the record. */
export const PLAIN = [
  ...new Set(['cards.getBalance', 'cards.getStatus', 'cards.get', ...CARD_READINGS]),
] as readonly Plain[];
const CARDS = 2;
const TOKEN = 'cards.createToken';
const ENCRYPT = 'cards.encryptForVde';
/** Further trials of temporary tokens, after each card's token was looked up. */
const TOKEN_FORMS = ['another for a card', 'a second look-up'];

export type Reading = { card: string; answer: Answer };

/** @throws Skipped, Inconclusive where no card can be read */
async function begin(t: Context) {
  const { cards, active } = await cardsToRead(t);
  const [first, second] = cards as [string, string?];
  // Nobody asks twice for what the fixtures file promises.
  const isPromised = (identifier: string) => active && identifier === t.fixtures.cards?.withRelated;
  const call = (operation: string, identifier: string, json?: unknown) =>
    operation === 'cards.listRelated' && isPromised(identifier)
      ? t.shared(KnownCards.relatedToFixture)
      : t.call(operation, { path: { identifier }, json }, { intent: active ? 'valid' : 'refusable' });
  const rotated = t.rotated('temporary tokens', TOKEN_FORMS);
  return { cards, first, second, active, path: { identifier: first }, call, rotated };
}
type Begun = Awaited<ReturnType<typeof begin>> & { t: Context };

/** The cards, as their temporary tokens find them. */
async function lookUpByTokens(t: Context, created: readonly Reading[]): Promise<Reading[]> {
  const found: Reading[] = [];
  for (const { card, answer } of created) {
    const identifier = givenToken(answer);
    if (!succeeded(answer) || !identifier) continue;
    const input = { path: { identifier }, query: { byToken: true } };
    // A new token may not be known everywhere yet.
    const lookUp = () => t.call('cards.get', input, { intent: 'refusable' });
    found.push({ card, answer: await t.eventually(lookUp, succeeded) });
  }
  return found;
}

const encrypt = ({ t, path }: Begun, json: unknown, intent: Intent) => t.call(ENCRYPT, { path, json }, { intent });

const bytes = () => crypto.getRandomValues(Buffer.alloc(16));
/** New nonces in the usual forms, since the documents show none: a UUID, and 16 bytes in hexadecimal and in base64. */
export const NONCES = [
  () => crypto.randomUUID(),
  () => bytes().toString('hex'),
  () => bytes().toString('base64'),
] as const;

/** Encrypts with a nonce in the first form that is accepted. */
async function encryptWithNonce(on: Begun): Promise<{ nonce: string; answer: Answer }> {
  const nonces = NONCES.map((make) => make());
  for (const [index, nonce] of nonces.entries()) {
    // A target may have a cool-down: a nonce that is refused is tried again within the settle time.
    const answer = await on.t.eventually(() => encrypt(on, { nonce }, 'refusable'), succeeded);
    if (succeeded(answer) || index === nonces.length - 1) return { nonce, answer };
  }
  throw new Error('there is a form of a nonce');
}

/** Bodies of which the documents do not say what becomes of them. */
const ODD_BODIES = {
  // A proxy in front of the target may never answer one that is not JSON.
  'no object': [
    { name: 'a missing body', input: {}, intent: 'refusable' },
    { name: 'a body that is not JSON', input: { text: NOT_JSON }, intent: 'malformed' },
  ],
  'odd nonces': [
    { name: 'a nonce that was used', nonceOf: (used: string) => used },
    { name: 'an empty nonce', nonceOf: () => '' },
  ],
} as const;
const ODD_KINDS = Object.keys(ODD_BODIES);

/** Whether a run tries odd bodies of a kind. */
const triesKind = (t: Context, kind: keyof typeof ODD_BODIES) =>
  t.rotated('cards.encryptForVde: kinds of odd bodies', ODD_KINDS).includes(kind);

/** Encrypts without an object, in a way that rotates. */
async function encryptNoObject({ t, path }: Begun): Promise<void> {
  if (!triesKind(t, 'no object')) return;
  for (const { name, input, intent } of t.rotated('cards.encryptForVde: no object', ODD_BODIES['no object']))
    t.observe(ENCRYPT, name, await t.call(ENCRYPT, { path, ...input }, { intent }));
}

async function encryptWithOddNonces(on: Begun, used: string): Promise<void> {
  if (!triesKind(on.t, 'odd nonces')) return;
  for (const { name, nonceOf } of on.t.rotated('cards.encryptForVde: odd nonces', ODD_BODIES['odd nonces']))
    on.t.observe(ENCRYPT, name, await encrypt(on, { nonce: nonceOf(used) }, 'refusable'));
}

/** Cards read in every documented way; nothing changes them. */
export const readings = life('what may be read of cards', begin)
  // In parallel, to show whether answers for different cards are swapped.
  .showsOf(PLAIN, ({ cards, call }, operation) =>
    Promise.all(cards.map(async (card): Promise<Reading> => ({ card, answer: await call(operation, card) }))),
  )
  .shows('byToken', ({ t, [TOKEN]: created }) => lookUpByTokens(t, created.get()), { after: [TOKEN] })
  .shows('encryptedOther', ({ call, second }) => call(ENCRYPT, second ?? inconclusive('no other card is known'), {}))
  .shows('encrypted', (on) => encrypt(on, {}, on.active ? 'valid' : 'refusable'), { of: ENCRYPT })
  .shows('encryptedWithNonce', encryptWithNonce, { of: ENCRYPT })
  .shows('encryptedWithNumber', (on) => encrypt(on, { nonce: 4711 }, 'malformed'), { of: ENCRYPT })
  .does('no object to encrypt', encryptNoObject, { of: ENCRYPT })
  .does('odd nonces', (on) => encryptWithOddNonces(on, on.encryptedWithNonce.get().nonce), {
    of: ENCRYPT,
    after: ['encryptedWithNonce'],
  })
  .shows(
    'byTokenAgain',
    async ({ t, byToken, rotated }): Promise<Reading[]> => {
      // A token may be good for only one look-up.
      const [earlier] = byToken.get();
      if (!earlier || !rotated.includes('a second look-up')) return [];
      return [{ card: earlier.card, answer: await t.call('cards.get', earlier.answer.input, { intent: 'refusable' }) }];
    },
    { after: ['byToken'] },
  )
  .does(
    'another token for a card',
    async ({ t, first, rotated, [TOKEN]: created }) => {
      if (!rotated.includes('another for a card')) return;
      const [{ answer: earlier }] = created.get() as [Reading];
      const again = await Steps.ask(t, TOKEN, first);
      const which = givenToken(again) === givenToken(earlier) ? 'the same token' : 'a new token';
      t.observe(TOKEN, 'a second call for a card', succeeded(again) ? which : again);
    },
    { of: TOKEN },
  )
  /** The card that was asked for everything, afterwards. */
  .shows('afterwards', ({ t, first }) => t.confirmed(() => t.state(first), isActive), {
    after: [...PLAIN, 'encrypted', 'encryptedWithNonce'],
  });

/** Listed Active cards that nothing changes. */
async function untouchedCards(t: Context): Promise<string[]> {
  const pooled = pooledCards(t.fixtures);
  const active = (await Requests.listedOn(t, Requests.firstCards)).filter(({ status }) => status === ACTIVE);
  return identifiersOf(active).filter((identifier) => !pooled.has(identifier));
}

/** Two Active cards that nothing changes meanwhile, else leased Active ones of the fixtures, else any known card, whose state may explain a refusal. */
async function cardsToRead(t: Context): Promise<{ cards: string[]; active: boolean }> {
  const untouched = await untouchedCards(t);
  if (untouched.length > 0) {
    // Starts with the card that bad tokens are tried on: once it was read, a faulty target may show it to anybody.
    const one = (await optional(t.shared(Requests.aCard))) ?? '';
    const first = untouched.filter((card) => card === one);
    return { cards: [...new Set([...first, ...untouched])].slice(0, CARDS), active: true };
  }
  const leased = await optional(t.lease({ pool: 'active', upTo: CARDS }));
  if (leased) return { cards: leased.flat().map(({ identifier }) => identifier), active: true };
  return { cards: [await t.shared(Requests.aCard)], active: false };
}

/** Reads listed cards in other states and one more Active card, to have their answers judged; a refusal is allowed. */
export const otherStates = scenario(
  'cards in other states',
  async (t) => {
    const pooled = pooledCards(t.fixtures);
    const others = await untouchedCards(t);
    const identifier = others[t.run.configuration.run.seed % others.length];
    if (identifier !== undefined)
      for (const operation of t.rotated('read of another card', PLAIN)) await Steps.ask(t, operation, identifier);
    const seen = new Set<unknown>([ACTIVE, undefined]);
    for (const { identifier, status } of await Requests.listedOn(t, Requests.firstCards)) {
      if (typeof identifier !== 'string' || pooled.has(identifier) || seen.has(status) || seen.size > 4) continue;
      seen.add(status);
      for (const operation of t.rotated(`read of a card that is ${status}`, PLAIN))
        await Steps.ask(t, operation, identifier);
    }
  },
  { isFurther: true },
);
