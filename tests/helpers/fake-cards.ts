/** A few cards in memory that answer as a target does: for tests of what leases and undoes them. */
import { operation as operationById } from '../../contracts/operations.ts';
import type { Answer, Input } from '../../helpers/answer.ts';
import { Blocked } from '../../helpers/verdict.ts';
import { answerTo } from '../tools/answers.ts';

export interface FakeCard {
  status: string | undefined;
  /** In cents. */
  balance: number;
}

const NUMBERS = ['Active', 'Suspended', 'Unused', 'Closed'];

export class FakeCards {
  readonly cards: Record<string, FakeCard>;
  /** Requests that may change something, as `operation identifier`, and their bodies. */
  readonly changes: string[] = [];
  readonly bodies: unknown[] = [];
  /** Requests of any kind. */
  requests = 0;
  /** What the target refuses with status 409. */
  refuses: (operation: string, identifier: string) => boolean = () => false;
  /** Why a request gets no answer; undefined if it gets one. */
  blocks: (operation: string, identifier: string) => string | undefined = () => undefined;
  /** Money moves when a balance is read for the third time after a transfer. */
  movesLate = false;
  /** What leaves one card arrives on no other. */
  losesMoney = false;
  readonly #late: { readings: number; move: () => void }[] = [];

  constructor(cards: Record<string, Partial<FakeCard>>) {
    this.cards = Object.fromEntries(
      Object.entries(cards).map(([identifier, card]) => [identifier, { status: 'Active', balance: 2000, ...card }]),
    );
  }

  readonly call = async (operation: string, input: Input = {}): Promise<Answer> => {
    const number = ++this.requests;
    const identifier = input.path?.identifier ?? '';
    const blocked = this.blocks(operation, identifier);
    if (blocked) throw new Blocked(blocked);
    const changes = operationById(operation).risk !== 'safe';
    if (changes) {
      this.changes.push(`${operation} ${identifier}`);
      this.bodies.push(input.json);
    }
    const answer = (status: number, body?: unknown) =>
      answerTo(operation, body, { status, exchange: `x${number}`, input, change: changes ? `c${number}` : undefined });
    const card = this.cards[identifier];
    if (!card) return answer(404);
    if (this.refuses(operation, identifier)) return answer(409);
    if (operation === 'cards.get') return answer(200, { identifier, status: card.status });
    if (operation === 'cards.getStatus') return answer(200, { status: NUMBERS.indexOf(card.status ?? '') });
    if (operation === 'cards.getBalance') {
      for (const late of this.#late) if (++late.readings === 3) late.move();
      return answer(200, { balance: card.balance / 100 });
    }
    if (operation === 'cards.transfer') {
      const { targetCardIdentifier, amount } = input.json as { targetCardIdentifier: string; amount: number };
      const cents = Math.round(amount * 100);
      const move = () => this.gain({ [identifier]: -cents, [targetCardIdentifier]: this.losesMoney ? 0 : cents });
      if (this.movesLate) this.#late.push({ readings: 0, move });
      else move();
      return answer(200, {});
    }
    const made = { 'cards.suspend': 'Suspended', 'cards.unsuspend': 'Active', 'cards.close': 'Closed' }[operation];
    if (made) card.status = made;
    return answer(200);
  };

  /** Changes balances, in cents; of cards that are not there it does nothing. */
  gain(gains: Record<string, number>): void {
    for (const [identifier, gained] of Object.entries(gains)) {
      const card = this.cards[identifier];
      if (card) card.balance += gained;
    }
  }
}
