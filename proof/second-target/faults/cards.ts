/** Faults of the states of cards and of money. */
import type { Action, Choices } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { heedless, holdersWith, onReply, sleep, succeeded, tally } from '../tools.ts';
import type { Card, CardState } from '../world.ts';
import { answered, type Fault, fault, overlooked, ruled } from './fault.ts';

type Condemned = Parameters<typeof fault>[1];

/** A card comes from one state into another by an action. */
const moves = (id: string, condemns: Condemned, action: Action, from: CardState, to: CardState): Fault =>
  fault(id, condemns, (c) => {
    c.transitions[action] = { ...c.transitions[action], [from]: to };
  });

/** Does something about a refused transfer from a card that is known. */
function refused(c: Choices, effect: (x: Exchange) => void): void {
  onReply(c, 'cards.transfer', (reply, x) => {
    if (!succeeded(reply) && x.admitted && x.card?.owner.ours) effect(x);
  });
}

/** A payment takes another amount than was asked for. */
const paying = (id: string, condemns: Condemned, paid: (cents: number, held: number) => number): Fault =>
  fault(id, condemns, (c) => {
    c.debit = (card, cents, x) => x.world.pay(card, -paid(cents, card.facts.cents));
  });

/** A transfer moves another amount than was asked for. */
const moving = (id: string, changed: (cents: number, x: Exchange) => number): Fault =>
  fault(id, ['cards.transfer.amount-answered', 'cards.transfer.moves-amount'], (c) => {
    c.between.push((x) => {
      if (x.operation === 'cards.transfer') x.cents = changed(x.cents, x);
    });
  });

/** Time that passes between the checks of a transfer and its effect, so that others are checked meanwhile. */
const GAP_MS = 40;

function creditLost(c: Choices): void {
  const seen = new WeakMap<Exchange, number>();
  c.between.push((x) => {
    if (x.operation !== 'cards.transfer') return undefined;
    seen.set(x, x.target!.facts.cents);
    return sleep(GAP_MS);
  });
  onReply(c, 'cards.transfer', (reply, x) => {
    const before = seen.get(x);
    if (succeeded(reply) && before !== undefined && x.target)
      x.world.pay(x.target, before + x.cents - x.target.facts.cents);
  });
}

export const cardFaults: Fault[] = [
  fault('second-unsuspension-has-no-effect', 'cards.unsuspend.active', (c) => {
    const freed = tally(c, 'cards.unsuspend', ({ card }) => card);
    onReply(c, 'cards.unsuspend', (reply, x) => {
      if (succeeded(reply) && x.card?.facts.state === 'active' && freed(x) > 1)
        x.world.alter(x.card, (facts) => void Object.assign(facts, { state: 'suspended' }));
    });
  }),
  moves(
    'unsuspend-has-no-effect',
    ['cards.unsuspend.active', 'cards.unsuspend.pays-again'],
    'unsuspend',
    'suspended',
    'suspended',
  ),
  moves('activate-leaves-suspended', 'cards.activate.active', 'activate', 'unused', 'suspended'),
  moves(
    'close-has-no-effect',
    ['cards.close.not-active', 'cards.close.stays-closed', 'cards.close.stops-payments'],
    'close',
    'active',
    'active',
  ),
  moves('closed-card-reopened-by-unsuspend', 'cards.unsuspend.leaves-others', 'unsuspend', 'closed', 'active'),
  ...(['lost', 'fraud', 'unused'] as const).map((state) =>
    moves(`${state}-card-unsuspended`, 'cards.unsuspend.leaves-others', 'unsuspend', state, 'active'),
  ),
  fault('status-read-leaves-the-record', 'cards.getStatus.refreshes-record', (c) => {
    const first = new Map<Card, CardState>();
    c.before.push((x) => {
      for (const card of x.world.cards) {
        card.facts.recordedState = first.get(card) ?? card.facts.recordedState;
        first.set(card, card.facts.recordedState);
      }
      return undefined;
    });
  }),
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
  paying(
    'whole-balance-leaves-a-cent',
    ['cards.transfer.conserves-money', 'cards.transfer.moves-amount'],
    (cents, held) => (held === cents ? cents - 1 : cents),
  ),
  paying(
    'transfers-are-debited-twice',
    ['cards.transfer.conserves-money', 'cards.transfer.moves-amount'],
    (cents) => 2 * cents,
  ),
  fault('transfers-are-not-credited', ['cards.transfer.conserves-money', 'cards.transfer.moves-amount'], (c) =>
    onReply(c, 'cards.transfer', (reply, { target, cents, world }) => {
      if (succeeded(reply) && target) world.pay(target, -cents);
    }),
  ),
  paying('cents-are-not-debited', 'cards.transfer.conserves-money', (cents) => cents - (cents % 100)),
  overlooked(
    'a-cent-below-zero-is-taken-from-the-target',
    'cards.transfer.negative-amount',
    'bad-amount',
    ({ content }) => Number(content.amount) === -0.01,
  ),
  moving('transfers-from-five-on-move-five', (cents) => (cents > 500 && cents <= 1000 ? 500 : cents)),
  moving('transfers-with-a-comment-move-twice', (cents, { content }) => (content.comment ? 2 * cents : cents)),
  moving('transfer-cents-cut-as-floats', (_cents, { content }) => Math.trunc(Number(content.amount) * 100)),
  answered(
    'transfer-without-amount-answered',
    'cards.transfer.missing-body',
    { status: 200, body: { identifier: 'none' } },
    ({ text }) => !text.includes('"amount"'),
  ),
  fault('birth-dates-with-time', 'cards.get.shape', (c) =>
    holdersWith(c, ({ dateOfBirth }) => ({ dateOfBirth: `${dateOfBirth}T00:00:00Z` })),
  ),
  ruled(
    'permissions-false-fail',
    ['users.setPermissions.any-members-accepted', 'users.setPermissions.status'],
    500,
    ({ content }) => content.canSearchLoads === false,
  ),
  fault('transfers-at-once-spend-the-same-money', 'cards.transfer.simultaneous', (c) =>
    c.between.push(({ operation }) => (operation === 'cards.transfer' ? sleep(GAP_MS) : undefined)),
  ),
  fault('transfers-at-once-credited-once', 'cards.transfer.simultaneous', creditLost),
];
