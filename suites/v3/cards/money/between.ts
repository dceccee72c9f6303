/** Two cards between which transfers are made. */
import type { Context } from '../../../../helpers/check.ts';
import { amountRule, plainAmount } from '../../../shared/amounts.ts';
import type { Books } from './books.ts';
import type { Payment } from './effects.ts';
import { type Form, payment } from './forms.ts';

/** What transfers that move their amounts show. */
export const MOVES = [
  'cards.transfer.moves-amount',
  'cards.transfer.conserves-money',
  'cards.transfer.claims-truly',
  'cards.transfer.refused-moves-nothing',
];

/** What transfers at the same moment show. */
export const AT_ONCE = ['cards.transfer.simultaneous', 'cards.transfer.conserves-money'];

/** Cents by which the plain amounts of one trial differ from those of the one before. */
const MORE = 37;

/** Transfers between two cards, in the form that moved money. */
export class Between {
  readonly t: Context;
  readonly books: Books;
  readonly source: string;
  readonly target: string;
  /** Members other than target and amount. */
  readonly #members: Record<string, unknown>;
  readonly #takesCents: boolean;
  #controls = 3;

  /** @param takesCents whether the target is known to take fractions of a unit */
  constructor(
    t: Context,
    books: Books,
    { from, to, members }: Pick<Form, 'from' | 'to' | 'members'>,
    takesCents = false,
  ) {
    this.t = t;
    this.books = books;
    this.source = from;
    this.target = to;
    this.#members = members;
    this.#takesCents = takesCents;
  }

  there = (cents: number, more = {}): Payment =>
    payment(this.source, this.target, cents, { ...this.#members, ...more });
  back = (cents: number, more = {}): Payment => payment(this.target, this.source, cents, { ...this.#members, ...more });

  /** The nth plain amount in cents; those of a trial were not asked for before, where the target takes cents. */
  plain = (n: number): number => {
    const { round } = this.books;
    return plainAmount(amountRule(this.t), n + round) + (this.#takesCents ? MORE * round : 0);
  };

  /** A plain transfer, each time of another amount, from the source as long as it has enough. */
  control = async (): Promise<Payment> => {
    const cents = this.plain(this.#controls++);
    return (await this.books.balance(this.source)) >= cents ? this.there(cents) : this.back(cents);
  };
}
