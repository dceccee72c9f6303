import { ok, type Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { JsonObject } from '../json.ts';
import { cardShape } from '../shapes.ts';
import type { Card, CardFacts } from '../world.ts';
import { cardOfPath } from './guard.ts';
import { page, pageBody } from './paging.ts';

const filters = ['customerIdentifier', 'programIdentifier', 'orderIdentifier', 'externalIdentifier'];

function correlation(x: Exchange): string {
  return `:${x.number}:`;
}

function selected(x: Exchange, asked: URLSearchParams): Card[] {
  const { world, choices } = x;
  const customer = asked.get('customerIdentifier');
  const program = asked.get('programIdentifier');
  const order = asked.get('orderIdentifier');
  const external = asked.get('externalIdentifier');
  return world.cards
    .filter(
      (card) =>
        card.owner.ours &&
        choices.isListed(card) &&
        (customer === null || choices.ownerMatches(card, customer)) &&
        (program === null || card.program.identifier === program) &&
        (order === null || card.order === order) &&
        (external === null || card.externalIdentifier === external),
    )
    .sort(choices.cardOrder);
}

/** GET cards: a page of the cards that fit the filters. */
export function list(x: Exchange): Reply {
  const { choices } = x;
  const limits = { most: choices.cardsMost, usual: 50 };
  const { records, continuation } = page(x, limits, filters, (asked) => selected(x, asked));
  const shown = records.map((card) => cardShape(card, x));
  const body = pageBody(shown, continuation, choices.continuationMember);
  return ok({ correlationId: correlation(x), ...body });
}

function byProxy(x: Exchange): Card | undefined {
  const program = x.query.get('programIdentifier');
  const digital = x.flag('isDigital');
  x.refuseIf(!program, 'proxy-incomplete', 'programIdentifier');
  x.refuseIf(digital === undefined, 'proxy-incomplete', 'isDigital');
  return x.world.cards.find(
    (card) =>
      card.proxy === x.path.identifier &&
      (!program || card.program.identifier === program) &&
      (digital === undefined || card.digital === digital),
  );
}

/** GET one card, by its identifier, by a temporary token, or by its proxy number within a program. */
export function get(x: Exchange): Reply {
  const token = x.flag('byToken');
  const proxy = x.flag('byProxy');
  x.refuseIf(token === true && proxy === true, 'bad-flag', 'byProxy');
  if (token || proxy) {
    const found = token ? x.world.cards.find((card) => card.temporaryTokens.includes(x.path.identifier!)) : byProxy(x);
    if (!found) return x.refuse('unknown-card', 'identifier');
    x.refuseIf(!found.owner.ours, 'card-out-of-reach', 'identifier');
    x.card = found;
  } else {
    cardOfPath(x);
  }
  return ok(cardShape(x.card!, x));
}

/** GET balance: the current one, which is then stored in the record, too. */
export function getBalance(x: Exchange): () => Reply {
  const card = cardOfPath(x);
  return () => {
    const { cents } = x.choices.seen(card, x);
    refresh(x, card, { recordedCents: cents });
    return ok({ balance: x.choices.money(cents) });
  };
}

/** GET status: the current one, which is then stored in the record, too. */
export function getStatus(x: Exchange): () => Reply {
  const card = cardOfPath(x);
  return () => {
    const { state } = x.choices.seen(card, x);
    refresh(x, card, { recordedState: state });
    return ok({ status: x.choices.cardStatusNumber[state] });
  };
}

function refresh(x: Exchange, card: Card, stored: Partial<CardFacts>): void {
  x.world.alter(card, (facts) => Object.assign(facts, stored));
}

/** GET resync: both refreshed at once, answered with the record. */
export function resync(x: Exchange): () => Reply {
  const card = cardOfPath(x);
  return () => {
    const { state, cents } = card.facts;
    refresh(x, card, { recordedState: state, recordedCents: cents });
    return ok(cardShape(card, x));
  };
}

/** GET related cards. */
export function listRelated(x: Exchange): Reply {
  const card = cardOfPath(x);
  const { choices, world } = x;
  const related = world.cards.filter((other) => other !== card && other.owner.ours && choices.relatedTo(card, other));
  const results: JsonObject[] = related.map((other) => cardShape(other, x));
  return ok({ correlationId: correlation(x), results });
}

/** GET a temporary token, a new one each time. */
export function createToken(x: Exchange): () => Reply {
  const card = cardOfPath(x);
  return () => {
    const token = x.choices.identifier('temporary', x.world.next('temporary'));
    card.temporaryTokens.push(token);
    return { status: 201, body: { token, correlationId: correlation(x) } };
  };
}

/** POST encrypt-for-vde: an opaque payload; a nonce serves a card once. */
export function encryptForVde(x: Exchange): () => Reply {
  const card = cardOfPath(x);
  const { nonce } = x.json();
  x.refuseIf(nonce !== undefined && typeof nonce !== 'string', 'bad-field', 'nonce');
  x.refuseIf(!x.choices.nonceReusable && card.nonces.includes(String(nonce)), 'nonce-used', 'nonce');
  return () => {
    if (typeof nonce === 'string') card.nonces.push(nonce);
    const plain = `${card.lastFour}|${nonce ?? ''}|${x.number}`;
    return { status: 201, body: { encryptedPayload: Buffer.from(plain).toString('hex') } };
  };
}
