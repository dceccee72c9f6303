/** Cards read in every documented way, gathered once, preferably from cards in a known state. */
import { ACTIVE, CARD_READINGS, LEAVING_ALONE } from '../../../../contracts/v3/cards.ts';
import { type Answer, type Intent, member, succeeded } from '../../../../helpers/answer.ts';
import { isActive } from '../../../../helpers/cards/card-state.ts';
import { identifiersOf, pooledCards } from '../../../../helpers/cards/discovery.ts';
import { type Context, scenario } from '../../../../helpers/check.ts';
import { NOT_JSON } from '../../../../helpers/engine/rows.ts';
import { attempt, type Fact, inconclusive } from '../../../../helpers/verdict.ts';
import * as Requests from '../../../shared/requests.ts';
import * as Steps from './steps.ts';

/** Operations that read one card by its identifier alone; cards.get follows those that refresh the record. */
const PLAIN = [...new Set(['cards.getBalance', 'cards.getStatus', 'cards.get', ...CARD_READINGS])];
const CARDS = 2;
/** Requirements that are about some of these operations alone; all others are about whatever may be read. */
const ABOUT: Readonly<Record<string, readonly string[]>> = {
  'cards.get.by-token': ['cards.createToken'],
  'cards.get.by-token-found': ['cards.createToken'],
  'cards.encryptForVde.nonce-accepted': ['cards.encryptForVde'],
  'cards.getBalance.refreshes-record': ['cards.getBalance', 'cards.getStatus', 'cards.get'],
};
const OTHERS = Steps.idsOf('cards').filter((id) => !ABOUT[id]);
/** The requirements for which cards are read by an operation. */
const needing = (operation: string) => Steps.idsOf('cards').filter((id) => ABOUT[id]?.includes(operation) ?? true);
/** Further trials of temporary tokens, after each card's token was looked up. */
const TOKEN_FORMS = ['another for a card', 'a second look-up'];

export type Reading = { card: string; answer: Answer };

/** Reads cards in every documented way; changes nothing. @throws Skipped, Inconclusive where no card can be read */
export const readings = scenario('what may be read of cards', async (t) => {
  const { cards, active } = await cardsToRead(t);
  const call = (operation: string, identifier: string, json?: unknown) =>
    t.call(operation, { path: { identifier }, json }, { intent: active ? 'valid' : 'refusable' });
  const plain: Record<string, Fact<Reading[]>> = {};
  // In parallel, to show whether answers for different cards are swapped.
  for (const operation of PLAIN)
    plain[operation] = await Steps.whenNeeded(t, needing(operation), () =>
      Promise.all(cards.map(async (card) => ({ card, answer: await call(operation, card) }))),
    );
  const byToken = await attempt(async () => {
    const found: Reading[] = [];
    for (const { card, answer } of plain['cards.createToken']!.get()) {
      const identifier = member(answer, 'token');
      if (!succeeded(answer) || typeof identifier !== 'string' || identifier === '') continue;
      const input = { path: { identifier }, query: { byToken: true } };
      // A new token may not be known everywhere yet.
      const lookUp = () => t.call('cards.get', input, { intent: 'refusable' });
      found.push({ card, answer: await t.eventually(lookUp, succeeded) });
    }
    return found;
  });
  const [first, second] = cards as [string, string?];
  const encryptedOther = await Steps.whenNeeded(t, OTHERS, () =>
    call('cards.encryptForVde', second ?? inconclusive('no other card is known'), {}),
  );
  const encrypting = () => encryptions(t, first, active);
  const encryption = await Steps.whenNeeded(t, needing('cards.encryptForVde'), encrypting);
  const further = t.rotated('temporary tokens', TOKEN_FORMS);
  const byTokenAgain = await attempt(async (): Promise<Reading[]> => {
    // A token may be good for only one look-up.
    const [earlier] = byToken.get();
    if (!earlier || !further.includes('a second look-up')) return [];
    return [{ card: earlier.card, answer: await t.call('cards.get', earlier.answer.input, { intent: 'refusable' }) }];
  });
  if (further.includes('another for a card'))
    await attempt(async () => {
      const created = plain['cards.createToken']!.get()[0]!.answer;
      const again = await Steps.ask(t, 'cards.createToken', first);
      const which = member(again, 'token') === member(created, 'token') ? 'the same token' : 'a new token';
      t.observe('cards.createToken', 'a second call for a card', succeeded(again) ? which : again);
    });
  /** One of the cards, once it was looked at in every way. */
  const nothingElse = LEAVING_ALONE.map((operation) => `${operation}.nothing-else`);
  const again = () => t.confirmed(() => t.state(second ?? first), isActive);
  const afterwards = await Steps.whenNeeded(t, nothingElse, again);
  return { plain, byToken, byTokenAgain, encryption, encryptedOther, afterwards, active };
});

/** Calls encrypt-for-vde in every documented way, and with a nonce that is a number. */
async function encryptions(t: Context, identifier: string, active: boolean) {
  const path = { identifier };
  const encrypt = (json: unknown, intent: Intent) => t.call('cards.encryptForVde', { path, json }, { intent });
  const nothing = await encrypt({}, active ? 'valid' : 'refusable');
  const bytes = () => crypto.getRandomValues(Buffer.alloc(16));
  let nonce: string | undefined;
  let withNonce: Answer | undefined;
  // The first form that is accepted, since the documents show none: a UUID, and 16 bytes in hexadecimal and in base64.
  for (nonce of [crypto.randomUUID(), bytes().toString('hex'), bytes().toString('base64')]) {
    // A target may have a cool-down: a nonce that is refused is tried again within the settle time.
    withNonce = await t.eventually(() => encrypt({ nonce }, 'refusable'), succeeded);
    if (succeeded(withNonce)) break;
  }
  const control = succeeded(withNonce!) ? nothing : await encrypt({}, 'refusable');
  if (!t.needs(...OTHERS)) return { nothing, nonce: withNonce!, control };
  const wrongType = await encrypt({ nonce: 4711 }, 'malformed');
  const observe = (subject: string, answer: Answer) => t.observe('cards.encryptForVde', subject, answer);
  const notObjects = [
    { name: 'a missing body', input: { path }, intent: 'refusable' },
    { name: 'a body that is not JSON', input: { path, text: NOT_JSON }, intent: 'malformed' },
  ] as const;
  // A proxy in front of the target may never answer a body that is not JSON.
  for (const { name, input, intent } of t.rotated('cards.encryptForVde: no object', notObjects))
    await attempt(async () => observe(name, await t.call('cards.encryptForVde', input, { intent })));
  const oddNonces = [
    { name: 'a nonce that was used', nonce },
    { name: 'an empty nonce', nonce: '' },
  ];
  for (const { name, nonce } of t.rotated('cards.encryptForVde: odd nonces', oddNonces))
    observe(name, await encrypt({ nonce }, 'refusable'));
  return { nothing, nonce: withNonce!, control, wrongType };
}

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
    const { value: one = '' } = await attempt(() => t.shared(Requests.aCard));
    const first = untouched.filter((card) => card === one);
    return { cards: [...new Set([...first, ...untouched])].slice(0, CARDS), active: true };
  }
  const { value: leased } = await attempt(() => t.lease({ pool: 'active', upTo: CARDS }));
  if (leased) return { cards: leased.flat().map(({ identifier }) => identifier), active: true };
  return { cards: [await t.shared(Requests.aCard)], active: false };
}

/** Reads listed cards in other states and one more Active card, to have their answers judged; a refusal is allowed. */
export const otherStates = scenario('cards in other states', async (t) => {
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
});
