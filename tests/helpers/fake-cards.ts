/** A few cards in memory that answer as a target does: for tests of what leases and undoes them. */
import { operation as operationById } from '../../contracts/operations.ts';
import type { Answer, Input } from '../../helpers/answer.ts';
import { readJson } from '../../helpers/json.ts';

export interface FakeCard {
  status: string | undefined;
  /** In cents. */
  balance: number;
}

const NUMBERS = ['Active', 'Suspended', 'Unused', 'Closed'];

export class FakeCards {
  readonly cards: Record<string, FakeCard>;
  /** Requests that may change something, as `operation identifier`. */
  readonly changes: string[] = [];
  /** Bodies of the requests that may change something. */
  readonly bodies: unknown[] = [];
  /** Requests of any kind. */
  requests = 0;
  /** What the target refuses with status 409. */
  refuses: (operation: string, identifier: string) => boolean = () => false;
  /** Money moves when a balance is read for the third time after a transfer. */
  movesLate = false;
  readonly #late: { readings: number; move: () => void }[] = [];
  /** Called before each request. */
  before: (operation: string, identifier: string) => void = () => {};

  constructor(cards: Record<string, Partial<FakeCard>>) {
    this.cards = Object.fromEntries(
      Object.entries(cards).map(([identifier, card]) => [identifier, { status: 'Active', balance: 2000, ...card }]),
    );
  }

  readonly call = async (operation: string, input: Input = {}): Promise<Answer> => {
    this.requests++;
    const identifier = input.path?.identifier ?? '';
    this.before(operation, identifier);
    const changes = operationById(operation).risk !== 'safe';
    if (changes) this.changes.push(`${operation} ${identifier}`);
    if (changes) this.bodies.push(input.json);
    const card = this.cards[identifier];
    if (!card) return this.#answer(operation, input, 404);
    if (this.refuses(operation, identifier)) return this.#answer(operation, input, 409);
    if (operation === 'cards.get') return this.#answer(operation, input, 200, { identifier, status: card.status });
    if (operation === 'cards.getBalance') for (const late of this.#late) if (++late.readings === 3) late.move();
    if (operation === 'cards.getBalance') return this.#answer(operation, input, 200, { balance: card.balance / 100 });
    if (operation === 'cards.getStatus')
      return this.#answer(operation, input, 200, { status: NUMBERS.indexOf(card.status ?? '') });
    if (operation === 'cards.suspend') card.status = 'Suspended';
    if (operation === 'cards.unsuspend') card.status = 'Active';
    if (operation === 'cards.close') card.status = 'Closed';
    if (operation === 'cards.transfer' && this.movesLate)
      this.#late.push({ readings: 0, move: () => this.#move(card, input.json) });
    else if (operation === 'cards.transfer') this.#move(card, input.json);
    return this.#answer(operation, input, 200, operation === 'cards.transfer' ? {} : undefined);
  };

  #move(source: FakeCard, body: unknown): void {
    const { targetCardIdentifier, amount } = body as { targetCardIdentifier: string; amount: number };
    const cents = Math.round(amount * 100);
    source.balance -= cents;
    const target = this.cards[targetCardIdentifier];
    if (target) target.balance += cents;
  }

  #answer(id: string, input: Input, status: number, body?: unknown): Answer {
    const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
    const operation = operationById(id);
    return {
      exchange: `x${this.requests}`,
      operation,
      input,
      intent: 'valid',
      status,
      headers: {},
      bytes,
      json: bytes.length === 0 ? undefined : readJson(bytes),
      sentAt: 0,
      answeredAt: 0,
      change: operation.risk === 'safe' ? undefined : `c${this.requests}`,
    };
  }
}
