/** Faults of the states of cards and of money. */
import type { Action, Choices } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import {
  heedless,
  holdersWith,
  isOneOf,
  type Operations,
  onReply,
  overlook,
  rule,
  sleep,
  succeeded,
  tally,
} from '../tools.ts';
import type { CardState } from '../world.ts';
import { type Fault, fault, instead } from './fault.ts';

function moves(action: Action, from: CardState, to: CardState): (c: Choices) => void {
  return (c) => {
    c.transitions[action] = { ...c.transitions[action], [from]: to };
  };
}

/** Leaves a card in a state after some operation succeeded on it, whatever that operation is for. */
function afterwards(
  c: Choices,
  meant: Operations,
  from: CardState,
  to: CardState,
  when: (x: Exchange) => boolean = () => true,
): void {
  onReply(c, meant, (reply, x) => {
    if (succeeded(reply) && x.card?.facts.state === from && when(x))
      x.world.alter(x.card, (facts) => void Object.assign(facts, { state: to }));
  });
}

const card = ({ card }: Exchange) => card;

function stuck(c: Choices, name: 'recordedCents' | 'recordedState'): void {
  const first = new Map<unknown, unknown>();
  c.before.push((x) => {
    for (const card of x.world.cards) {
      if (first.has(card)) Object.assign(card.facts, { [name]: first.get(card) });
      else first.set(card, card.facts[name]);
    }
    return undefined;
  });
}

/** Does something about a refused transfer from a card that is known. */
function refused(c: Choices, effect: (x: Exchange) => void): void {
  onReply(c, 'cards.transfer', (reply, x) => {
    if (!succeeded(reply) && x.admitted && x.card?.owner.ours) effect(x);
  });
}

function spend(paid: (card: { cents: number }, cents: number) => number): Choices['debit'] {
  return (card, cents, x) => x.world.pay(card, -paid(card.facts, cents));
}

/** Moves another amount than was asked for. */
function moving(c: Choices, changed: (cents: number, x: Exchange) => number): void {
  c.between.push((x) => {
    if (x.operation === 'cards.transfer') x.cents = changed(x.cents, x);
  });
}

function moved(change: (cents: number, x: Exchange) => number): (c: Choices) => void {
  return (c) => {
    c.between.push((x) => {
      if (x.operation === 'cards.transfer') x.cents = change(x.cents, x);
    });
  };
}

/** Lets time pass between the checks and the effect, so that others are checked meanwhile. */
function gap(c: Choices, meant: Operations, ms = 40): void {
  c.between.push((x) => (isOneOf(x.operation, meant) ? sleep(ms) : undefined));
}

/** Keeps what the balances were when a transfer was checked. */
function snapshots(c: Choices): WeakMap<Exchange, { from: number; to: number }> {
  const seen = new WeakMap<Exchange, { from: number; to: number }>();
  c.between.push((x) => {
    if (x.operation !== 'cards.transfer') return undefined;
    seen.set(x, { from: x.card!.facts.cents, to: x.target!.facts.cents });
    return sleep(40);
  });
  return seen;
}

function creditLost(c: Choices): void {
  const seen = snapshots(c);
  onReply(c, 'cards.transfer', (reply, x) => {
    const before = seen.get(x);
    if (succeeded(reply) && before && x.target) x.world.pay(x.target, before.to + x.cents - x.target.facts.cents);
  });
}

export const cardFaults: Fault[] = [
  fault('second-unsuspension-has-no-effect', 'cards.unsuspend.active', (c) => {
    const freed = tally(c, 'cards.unsuspend', card);
    afterwards(c, 'cards.unsuspend', 'active', 'suspended', (x) => freed(x) > 1);
  }),
  fault(
    'unsuspend-has-no-effect',
    ['cards.unsuspend.active', 'cards.unsuspend.pays-again'],
    moves('unsuspend', 'suspended', 'suspended'),
  ),
  fault('activate-leaves-suspended', 'cards.activate.active', moves('activate', 'unused', 'suspended')),
  fault(
    'close-has-no-effect',
    ['cards.close.not-active', 'cards.close.stays-closed', 'cards.close.stops-payments'],
    moves('close', 'active', 'active'),
  ),
  fault('closed-card-reopened-by-unsuspend', 'cards.unsuspend.leaves-others', moves('unsuspend', 'closed', 'active')),
  fault('lost-card-unsuspended', 'cards.unsuspend.leaves-others', moves('unsuspend', 'lost', 'active')),
  fault('fraud-card-unsuspended', 'cards.unsuspend.leaves-others', moves('unsuspend', 'fraud', 'active')),
  fault('unused-card-unsuspended', 'cards.unsuspend.leaves-others', moves('unsuspend', 'unused', 'active')),
  fault('status-read-leaves-the-record', 'cards.getStatus.refreshes-record', (c) => stuck(c, 'recordedState')),
  fault('with-bad-token-refused-yet-done-cards-transfer', 'cards.transfer.requires-token', (c) =>
    heedless(c, 'cards.transfer', 'bad-token'),
  ),
  fault(
    'transfer-of-bad-amount-refused-yet-moved',
    ['cards.transfer.negative-amount', 'cards.transfer.refused-moves-nothing'],
    (c) => heedless(c, 'cards.transfer', 'bad-amount'),
  ),
  fault('transfer-of-bad-comment-refused-yet-moved', 'cards.transfer.refused-moves-nothing', (c) =>
    heedless(c, 'cards.transfer', 'bad-field', (_x, field) => field === 'comment'),
  ),
  fault(
    'transfer-of-too-much-refused-takes-what-is-there',
    ['cards.transfer.conserves-money', 'cards.transfer.refused-moves-nothing'],
    (c) => refused(c, (x) => x.cents > x.card!.facts.cents && x.world.pay(x.card!, -x.card!.facts.cents)),
  ),
  fault(
    'transfer-refused-costs-one',
    [
      'cards.transfer.conserves-money',
      'cards.transfer.foreign-target',
      'cards.transfer.no-amount',
      'cards.transfer.no-target',
      'cards.transfer.refused-moves-nothing',
      'cards.transfer.to-itself',
      'cards.transfer.unknown-target',
    ],
    (c) => refused(c, (x) => x.world.pay(x.card!, -100)),
  ),
  fault('logout-of-an-unknown-session-ends-the-newest', 'portal.logout.requires-session', (c) => {
    onReply(c, 'portal.logout', (reply, { world }) => {
      if (!succeeded(reply)) Object.assign(world.sessions.findLast(({ ended }) => !ended) ?? {}, { ended: true });
    });
  }),
  fault(
    'whole-balance-leaves-a-cent',
    ['cards.transfer.conserves-money', 'cards.transfer.moves-amount'],
    (c) => void Object.assign(c, { debit: spend((card, cents) => (card.cents === cents ? cents - 1 : cents)) }),
  ),
  fault(
    'cents-are-not-debited',
    'cards.transfer.conserves-money',
    (c) => void Object.assign(c, { debit: spend((_card, cents) => cents - (cents % 100)) }),
  ),
  fault('a-cent-below-zero-is-taken-from-the-target', 'cards.transfer.negative-amount', (c) =>
    overlook(c, 'cards.transfer', 'bad-amount', ({ content }) => Number(content.amount) === -0.01),
  ),
  fault('transfers-from-five-on-move-five', ['cards.transfer.amount-answered', 'cards.transfer.moves-amount'], (c) =>
    moving(c, (sum) => (sum > 500 && sum <= 1000 ? 500 : sum)),
  ),
  fault('transfers-with-a-comment-move-twice', ['cards.transfer.amount-answered', 'cards.transfer.moves-amount'], (c) =>
    moving(c, (sum, { content }) => (content.comment ? 2 * sum : sum)),
  ),
  fault('first-card-of-a-customer-is-paid', 'cards.transfer.moves-amount', (c) =>
    onReply(c, 'cards.transfer', (reply, x) => {
      const first = x.world.cards.find(({ owner }) => owner === x.target?.owner)!;
      if (!succeeded(reply) || !x.target || first === x.target) return;
      x.world.pay(x.target, -x.cents);
      x.world.pay(first, x.cents);
    }),
  ),
  fault(
    'transfer-cents-cut-as-floats',
    ['cards.transfer.amount-answered', 'cards.transfer.moves-amount'],
    moved((_cents, { content }) => Math.trunc(Number(content.amount) * 100)),
  ),
  fault('transfer-without-amount-answered', 'cards.transfer.missing-body', (c) =>
    instead(c, 'cards.transfer', ({ text }) =>
      text.includes('"amount"') ? undefined : { status: 200, body: { identifier: 'none' } },
    ),
  ),
  fault('birth-dates-with-time', 'cards.get.shape', (c) =>
    holdersWith(c, ({ dateOfBirth }) => ({ dateOfBirth: `${dateOfBirth}T00:00:00Z` })),
  ),
  fault('permissions-false-fail', ['users.setPermissions.any-members-accepted', 'users.setPermissions.status'], (c) =>
    rule(c, 'users.setPermissions', ({ content }) => content.canSearchLoads === false, 500),
  ),
  fault('transfers-at-once-spend-the-same-money', 'cards.transfer.simultaneous', (c) => gap(c, 'cards.transfer')),
  fault('transfers-at-once-credited-once', 'cards.transfer.conserves-money', creditLost),
];
