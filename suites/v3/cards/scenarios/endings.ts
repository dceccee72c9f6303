/** What cannot be undone: cards activated, marked lost, closed, and freed of reported fraud. */
import { type Answer, succeeded } from '../../../../helpers/answer.ts';
import { amount, type CardState, isActive } from '../../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import { scenario } from '../../../../helpers/check.ts';
import type { Context } from '../../../../helpers/context.ts';
import { requireAccepted } from '../../../../helpers/expect.ts';
import { inconclusive } from '../../../../helpers/verdict.ts';
import { outcome } from '../../../observed.ts';
import { known, type Told, told } from '../../../shared/step.ts';
import { Balances, type Gains, type Movement, movedExactly } from './balances.ts';
import { type Transition, transition } from './transition.ts';

export const activation = scenario('an unused card activated', async (t): Promise<Transition> => {
  const [[card]] = (await t.lease({ pool: 'unused' })) as [[LeasedCard]];
  return transition(t, 'cards.activate', card.identifier, card, isActive);
});

/** Cents that a card pays before it is closed, and is asked for afterwards. */
const BEFORE = 100;
const CLOSED = 103;

const canPay = ({ balance }: LeasedCard): boolean => balance !== undefined && balance >= CLOSED;

export const loss = scenario('a card marked lost', async (t): Promise<Transition> => {
  const [[card]] = (await t.lease({ pool: 'disposable', prefers: (one) => !canPay(one) })) as [[LeasedCard]];
  const lost = await transition(t, 'cards.markLost', card.identifier, card, (state) => !isActive(state));
  await observeAfterEnd(t, card.identifier, lost, 'lost');
  return lost;
});

/** Which cards read as fraud is not documented: one that reads Active may have been freed before. */
export const fraudUnmarked = scenario('a card freed of reported fraud', async (t): Promise<Transition> => {
  const [[card]] = (await t.lease({ pool: 'fraud', prefers: (one) => !isActive(one) })) as [[LeasedCard]];
  const intent = card.status === undefined || isActive(card) ? 'refusable' : 'valid';
  const unmarked = await transition(t, 'cards.unmarkFraud', card.identifier, card, () => true, intent);
  for (const { status } of known([unmarked.after]))
    t.observe('cards.unmarkFraud', 'status of the card afterwards', status ?? 'not shown');
  return unmarked;
});

export interface ClosingFacts {
  card: string;
  /** Of the card as it is, with its balance if it has one. */
  closing: Transition;
  /** Whether a refusal may be for the balance (reading 29). */
  mayHaveBalance: boolean;
  /** Of the card once its balance is moved away; inconclusive where that cannot be or need not. */
  emptied: Told<{ answer: Answer; after: CardState }>;
  /** Transfers from the card to an active one, before it is closed and afterwards; then what moved late. */
  paysBefore: Told<Movement>;
  paysClosed: Told<Movement>;
  late: Told<Gains>;
}

export const closing = scenario('a card closed', async (t): Promise<ClosingFacts> => {
  const wish = { pool: 'disposable', prefers: canPay } as const;
  const [[leased], [other]] = (await t
    .lease(wish, { pool: 'active' })
    .catch(async () => [...(await t.lease(wish)), []])) as [[LeasedCard], [LeasedCard?]];
  const { identifier: card, balance } = leased;
  const active = () => other?.identifier ?? inconclusive('no active card is there to be paid');
  const move = (balances: Balances, from: string, to: string, cents: number) => {
    const json = { targetCardIdentifier: to, amount: amount(cents) };
    return balances.attempt(from, { json }, { intent: 'refusable' }, cents);
  };
  const both = new Balances(t, other ? [card, other.identifier] : [card]);

  const paysBefore = await told(async () => {
    if (!canPay(leased)) inconclusive('no disposable card has a balance to pay from');
    const movement = await move(both, card, active(), BEFORE);
    if (movedExactly(movement.gains, card, active(), BEFORE)) await move(both, active(), card, BEFORE);
    return movement;
  });
  const isClosed = (state: CardState) => !isActive(state);
  const first = await transition(t, 'cards.close', card, leased, isClosed, balance === 0 ? 'valid' : 'refusable');
  const emptied = await told(async () => {
    if (succeeded(first.answer()) || !balance) inconclusive('the card is not refused for a balance');
    const { gains } = await move(both, card, active(), balance);
    if (!movedExactly(gains, card, active(), balance)) inconclusive('the balance of the card cannot be moved away');
    const answer = await t.call('cards.close', { path: { identifier: card } });
    return {
      answer,
      after: await t.eventually(
        () => t.state(card),
        (state) => !succeeded(answer) || isClosed(state),
      ),
    };
  });
  /** The balance of a closed card need not be readable: that of the card to be paid tells. */
  const ofOther = new Balances(t, other ? [other.identifier] : []);
  const paysClosed = await told(() => {
    requireAccepted(first.answer(), 'the closing of a card with a balance');
    return move(ofOther, card, active(), CLOSED);
  });
  const late = await told(async () => {
    await t.settle();
    return ofOther.late();
  });
  await observeAfterEnd(t, card, first, 'closed');
  return { card, closing: first, mayHaveBalance: balance !== 0, emptied, paysBefore, paysClosed, late };
});

/** What a card takes once it is lost or closed: transitions are not documented. */
async function observeAfterEnd(t: Context, identifier: string, { answer }: Transition, state: string): Promise<void> {
  if (!known([answer]).some(succeeded)) return;
  for (const operation of ['cards.suspend', 'cards.unsuspend', 'cards.activate', 'cards.markLost', 'cards.close'])
    for (const tried of known([await told(() => t.call(operation, { path: { identifier } }, { intent: 'refusable' }))]))
      t.observe(operation, `on a card that is ${state}`, outcome(tried));
}
