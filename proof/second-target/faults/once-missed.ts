/** Faults that somebody else thought of, each of which the suite missed before it learned to look. */
import type { Choices } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { Json } from '../json.ts';
import type { OperationId } from '../operation-ids.ts';
import { onBody, onReply, orderedCards, overlook, succeeded } from '../tools.ts';
import type { Card, CardFacts, CardState } from '../world.ts';
import { type Fault, fault, overlooked, ruled } from './fault.ts';

/** What an accepted request does beside what it is about. */
const alsoDoing = (c: Choices, operation: OperationId, act: (x: Exchange & { card: Card }) => void) =>
  onReply(c, operation, (reply, x) => {
    if (succeeded(reply) && x.card) act(x as Exchange & { card: Card });
  });

const set = ({ world }: Exchange, card: Card, facts: Partial<CardFacts>) =>
  world.alter(card, (known) => void Object.assign(known, facts));

/** All cards in a state come into another one with the one that is named. */
const allAlike = (name: string, operation: 'cards.activate' | 'cards.unmarkFraud', state: CardState) =>
  fault(name, `${operation}.nothing-else`, (c) =>
    alsoDoing(c, operation, (x) => {
      for (const card of x.world.cards) if (card.facts.state === state) set(x, card, { state: 'active' });
    }),
  );

/** An operation is done to another Active card, too: the next one, or those of the same order. */
const alsoDone = (
  name: string,
  operation: 'cards.suspend' | 'cards.close' | 'cards.markLost',
  state: CardState,
  isMeant: (other: Card, card: Card) => boolean,
) =>
  fault(name, `${operation}.nothing-else`, (c) =>
    alsoDoing(c, operation, (x) => {
      for (const other of x.world.cards)
        if (other !== x.card && other.facts.state === 'active' && isMeant(other, x.card)) set(x, other, { state });
    }),
  );

const isNext = (other: Card, { n }: Card): boolean => other.n === n + 1;
const isOfOrder = (other: Card, { order }: Card): boolean => other.order === order;

/** A look-up shows a card as it was when it was first made. */
const keptLookUp = (name: string, isMeant: (query: URLSearchParams) => boolean) =>
  fault(name, 'cards.getStatus.refreshes-record', (c) => {
    const kept = new Map<string, Json>();
    onBody(c, 'cards.get', (body, { path, query }) => {
      if (!isMeant(query)) return;
      body.status = kept.get(path.identifier!) ?? body.status!;
      kept.set(path.identifier!, body.status);
    });
  });

export const onceMissed: readonly Fault[] = [
  alsoDone('the-next-card-is-suspended-too', 'cards.suspend', 'suspended', isNext),
  alsoDone('the-next-card-is-closed-too', 'cards.close', 'closed', isNext),
  alsoDone('the-whole-order-is-lost', 'cards.markLost', 'lost', isOfOrder),
  keptLookUp('temporary-tokens-show-what-they-showed-first', (query) => query.get('byToken') === 'true'),
  allAlike('activation-activates-all', 'cards.activate', 'unused'),
  allAlike('unmarking-one-fraud-unmarks-all', 'cards.unmarkFraud', 'fraud'),
  fault('second-pin-suspends', 'cards.setPin.nothing-else', (c) => {
    const seen = new Set<Card>();
    alsoDoing(c, 'cards.setPin', (x) => {
      if (seen.has(x.card)) set(x, x.card, { state: 'suspended' });
      seen.add(x.card);
    });
  }),
  fault('refused-pin-suspends', 'cards.setPin.nothing-else', (c) =>
    onReply(c, 'cards.setPin', (reply, x) => {
      if (reply.status === 400 && x.card?.facts.state === 'active') set(x, x.card, { state: 'suspended' });
    }),
  ),
  fault('refused-pin-costs-all', 'cards.setPin.nothing-else', (c) =>
    onReply(c, 'cards.setPin', (reply, { card, world }) => {
      if (reply.status === 400 && card?.facts.state === 'active') world.pay(card, -card.facts.cents);
    }),
  ),
  fault('suspended-cards-get-nothing', 'cards.transfer.conserves-money', (c) => {
    c.receives = ['active', 'suspended'];
    onReply(c, 'cards.transfer', (reply, { target, cents, world }) => {
      if (succeeded(reply) && target?.facts.state === 'suspended') world.pay(target, -cents);
    });
  }),
  fault('lifetime-is-counted-from-the-first-token', 'token.issue.lives-60-minutes', (c) => {
    let first = Number.NEGATIVE_INFINITY;
    c.tokenLifetime = (_, world) => {
      if (world.now() - first >= 3_600_000) first = world.now();
      return 3600 - (world.now() - first) / 1000;
    };
  }),
  fault('other-info-is-unique-in-a-session', 'portal.orderCards.other-info-repeated-over-orders', (c) => {
    const session = new Map<unknown, string | null>();
    const infosOf = (x: Exchange) => orderedCards(x).map(({ otherInfo }) => otherInfo);
    onReply(c, 'portal.orderCards', (reply, x) => {
      if (succeeded(reply)) for (const info of infosOf(x)) session.set(info, x.query.get('sessionId'));
    });
    overlook(c, 'portal.orderCards', 'other-info-duplicate', (x) =>
      infosOf(x).every((info) => session.get(info) !== x.query.get('sessionId')),
    );
  }),
  fault('wallet-lost-by-unsuspend', 'cards.markWalletProvisioned.provisioned', (c) =>
    alsoDoing(c, 'cards.unsuspend', (x) => set(x, x.card, { provisioned: undefined })),
  ),
  fault('closed-then-lost-then-activated', 'cards.close.stays-closed', (c) => {
    c.transitions.markLost = { ...c.transitions.markLost, closed: 'lost' };
    c.transitions.activate = { ...c.transitions.activate, lost: 'active' };
  }),
  fault('a-cent-more-than-there-is-is-made', 'cards.transfer.conserves-money', (c) => {
    overlook(c, 'cards.transfer', 'insufficient-funds', (x) => x.cents - x.card!.facts.cents <= 1);
    c.debit = (card, cents, x) => x.world.pay(card, -Math.min(card.facts.cents, cents));
  }),
  overlooked(
    'encryption-with-a-nonce-needs-no-token',
    'cards.encryptForVde.requires-token',
    ['no-token', 'bad-token'],
    ({ text }) => text.includes('nonce'),
  ),
  fault('listing-by-customer-shows-the-first-status', 'cards.list.agrees-with-record', (c) => {
    const first = new Map<unknown, unknown>();
    onBody(c, 'cards.list', ({ results }, x) => {
      for (const card of x.query.has('customerIdentifier') ? (results as Record<string, never>[]) : []) {
        if (!first.has(card.identifier)) first.set(card.identifier, card.status);
        Object.assign(card, { status: first.get(card.identifier) });
      }
    });
  }),
  fault('order-identifiers-of-equal-ends-are-one', 'portal.orderCards.distinct-identifiers', (c) => {
    const usual = c.isSame;
    c.isSame = (one, other, x) =>
      x.operation === 'portal.orderCards'
        ? one.length === other.length && one.slice(-6) === other.slice(-6)
        : usual(one, other, x);
  }),
  overlooked(
    'hierarchy-of-the-customer-above-is-open',
    'portal.getCustomerHierarchy.foreign-customer',
    'foreign-customer-id',
    ({ query, world }) => world.home.parent?.v1Id === Number(query.get('customerId')),
  ),
  ruled(
    'born-in-this-century-500',
    'portal.getCIPCheck.unusual-values',
    500,
    ({ content }) => Number(content.dobYear) >= 2000 && Number(content.dobYear) < 2026,
  ),
  ruled(
    'reissue-of-a-long-identifier-500',
    'cards.reissue.status',
    500,
    ({ content }) => String(content.externalIdentifier).length > 100,
  ),
];
