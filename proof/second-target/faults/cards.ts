/** Faults of the states of cards and of money. */
import type { Action, Choices } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { OperationId } from '../operation-ids.ts';
import { heedless, holdersWith, onReply, sleep, succeeded, tally } from '../tools.ts';
import type { Card, CardState } from '../world.ts';
import { answered, type Fault, fault, overlooked, ruled } from './fault.ts';

const ofAll = (operation: OperationId, rules: readonly string[]) => rules.map((rule) => `${operation}.${rule}`);

/** A card comes from one state into another by an action. */
const moves = (id: string, action: Action, rules: readonly string[], from: CardState, to: CardState): Fault =>
  fault(id, ofAll(`cards.${action}`, rules), (c) => {
    c.transitions[action] = { ...c.transitions[action], [from]: to };
  });

/** A fault of transfers. */
const transfers = (id: string, rules: readonly string[], change: Fault['change']): Fault =>
  fault(id, ofAll('cards.transfer', rules), change);

/** Does something about a refused transfer from a card that is known. */
function refused(c: Choices, effect: (x: Exchange) => void): void {
  onReply(c, 'cards.transfer', (reply, x) => {
    if (!succeeded(reply) && x.admitted && x.card?.owner.ours) effect(x);
  });
}

/** A payment takes another amount than was asked for. */
const paying = (id: string, rules: readonly string[], paid: (cents: number, held: number) => number): Fault =>
  transfers(id, rules, (c) => {
    c.debit = (card, cents, x) => x.world.pay(card, -paid(cents, card.facts.cents));
  });

/** A transfer moves another amount than was asked for. */
const moving = (id: string, changed: (cents: number, x: Exchange) => number): Fault =>
  transfers(id, ['amount-answered', 'moves-amount'], (c) => {
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
  moves('unsuspend-has-no-effect', 'unsuspend', ['active', 'pays-again'], 'suspended', 'suspended'),
  moves('activate-leaves-suspended', 'activate', ['active'], 'unused', 'suspended'),
  moves('close-has-no-effect', 'close', ['not-active', 'stays-closed', 'stops-payments'], 'active', 'active'),
  moves('closed-card-reopened-by-unsuspend', 'unsuspend', ['leaves-others'], 'closed', 'active'),
  ...(['lost', 'fraud', 'unused'] as const).map((state) =>
    moves(`${state}-card-unsuspended`, 'unsuspend', ['leaves-others'], state, 'active'),
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
  transfers('with-bad-token-refused-yet-done-cards-transfer', ['requires-token'], (c) =>
    heedless(c, 'cards.transfer', 'bad-token'),
  ),
  transfers('transfer-of-bad-amount-refused-yet-moved', ['negative-amount', 'refused-moves-nothing'], (c) =>
    heedless(c, 'cards.transfer', 'bad-amount'),
  ),
  transfers('transfer-of-bad-comment-refused-yet-moved', ['refused-moves-nothing'], (c) =>
    heedless(c, 'cards.transfer', 'bad-field', (_x, field) => field === 'comment'),
  ),
  transfers('transfer-of-too-much-refused-takes-what-is-there', ['conserves-money', 'refused-moves-nothing'], (c) =>
    refused(c, (x) => x.cents > x.card!.facts.cents && x.world.pay(x.card!, -x.card!.facts.cents)),
  ),
  transfers(
    'transfer-refused-costs-one',
    [
      'conserves-money',
      'foreign-target',
      'no-amount',
      'no-target',
      'refused-moves-nothing',
      'to-itself',
      'unknown-target',
    ],
    (c) => refused(c, (x) => x.world.pay(x.card!, -100)),
  ),
  fault('logout-of-an-unknown-session-ends-the-newest', 'portal.logout.requires-session', (c) => {
    onReply(c, 'portal.logout', (reply, { world }) => {
      if (!succeeded(reply)) Object.assign(world.sessions.findLast(({ ended }) => !ended) ?? {}, { ended: true });
    });
  }),
  paying('whole-balance-leaves-a-cent', ['conserves-money', 'moves-amount'], (cents, held) =>
    held === cents ? cents - 1 : cents,
  ),
  paying('cents-are-not-debited', ['conserves-money'], (cents) => cents - (cents % 100)),
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
  transfers('transfers-at-once-spend-the-same-money', ['simultaneous'], (c) =>
    c.between.push(({ operation }) => (operation === 'cards.transfer' ? sleep(GAP_MS) : undefined)),
  ),
  transfers('transfers-at-once-credited-once', ['conserves-money'], creditLost),
];
