/** What the transfers between two active cards showed. */
import type { Answer } from '../../../../helpers/answer.ts';
import type { Context } from '../../../../helpers/context.ts';
import type { Step } from '../../../shared/step.ts';
import type { BalanceChanges, TransferAttempt } from './balance-changes.ts';
import type { Balances, PlainTransfer } from './balances.ts';
import type { WholeTransfer } from './transfer-claims.ts';

/** A balance as getBalance gives it and as the record says afterwards, both in cents. */
export interface Recorded {
  shown: number;
  recorded: number | undefined;
  changed: boolean;
}

/** Ways to ask for a transfer that moves nothing. */
export const REFUSED = [
  'zero bytes',
  'zero bytes declared as JSON',
  'no target',
  'no amount',
  'an unknown target',
  'a misnamed target',
  'the source as target',
  'a misnamed source',
] as const;
/** Ways to mistype a member of a transfer that is whole otherwise. */
export const MISTYPED = [
  'amount as text',
  'the target in an array',
  'comment as a number',
  'customFields as text',
  'customField1 as a number',
] as const;
/** Amounts of which the documents are silent, in cents; one that depends on the balance is a function of it. */
export const UNUSUAL_AMOUNTS = {
  zero: 0,
  'a negative amount': -97,
  'a cent below zero': -1,
  'a thousandth of the unit': 0.1,
  'half a cent': 100.5,
  'more than the balance': (balance: number) => balance + 100,
} as const;
export type UnusualAmount = keyof typeof UNUSUAL_AMOUNTS;
export const UNUSUAL = Object.keys(UNUSUAL_AMOUNTS) as UnusualAmount[];

/** Between which cards transfers are asked for, and how. */
export interface TransferSetting {
  t: Context;
  balances: Balances;
  plain: TransferFacts['plain'];
  source: string;
  target: string;
  /** Members beside target and amount. */
  members: Record<string, unknown>;
}

/** What the transfers came to. Amounts are in cents. */
export interface TransferFacts {
  source: string;
  target: string;
  /** Target and amount alone, with what the fixtures add to every transfer. */
  alone: Step<TransferAttempt>;
  /** The first that moved money, however it was asked for. @throws Nonconformance when none did, Inconclusive when another one did before */
  plain: Step<PlainTransfer>;
  /** More that should move their amounts: a refusal of theirs may have a rule of the target. */
  further: Record<string, Step<TransferAttempt & { from: string; to: string }>>;
  /** The plain one asked for twice more. */
  repeated: Step<TransferAttempt[]>;
  /** Two in one direction and one in the other that were sent at the same moment, and what they gain by their answers. */
  together: Step<{ requests: WholeTransfer[]; answers: Answer[]; gains: BalanceChanges; due: BalanceChanges }>;
  /** The whole balance, sent twice at the same moment. */
  spentTwice: Step<DoubleSpend>;
  /** Balances of both cards, shown and recorded, after the plain one. */
  records: Step<Recorded[]>;
  refused: Record<(typeof REFUSED)[number], Step<TransferAttempt>>;
  mistyped: Record<(typeof MISTYPED)[number], Step<TransferAttempt>>;
  unusual: Record<UnusualAmount, Step<TransferAttempt>>;
  badly: Step<(TransferAttempt & { name: string })[]>;
  toForeign: Step<TransferAttempt>;
  fromForeign: Step<TransferAttempt[]>;
  /** The answer to a transfer that moved its amount. */
  success: Answer | undefined;
  /** What moved after all of them, when nothing more was asked for. */
  late: Step<BalanceChanges>;
  /** A plain one after all of them: where it moves nothing, the refusals in between may have had a limit. */
  last: Step<TransferAttempt>;
  /** Whether the balances change by themselves. */
  drift: Step<boolean>;
}

/** Two transfers of the whole balance at the same moment. */
export interface DoubleSpend {
  answers: Answer[];
  /** The whole balance. */
  cents: number;
  gains: BalanceChanges;
  /** Whether both were carried out, and the second of two that follow each other is not: so the card may not be overdrawn. */
  isSpentTwice: boolean;
}
