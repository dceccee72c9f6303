/** Facts about the transfers between two active cards. */
import type { Answer } from '../../../../helpers/answer.ts';
import type { Context } from '../../../../helpers/context.ts';
import type { Step } from '../../../../helpers/engine/step.ts';
import type { BalanceChanges, TransferAttempt } from './balance-changes.ts';
import type { Balances, PlainTransfer } from './balances.ts';
import type { WholeTransfer } from './transfer-claims.ts';

/** A balance by getBalance, and by the record read afterwards, both in cents. */
export interface Recorded {
  shown: number;
  recorded: number | undefined;
  changed: boolean;
}

/** Requests for transfers that must move nothing. */
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
/** Transfers that are complete but for one member of the wrong type. */
export const MISTYPED = [
  'amount as text',
  'the target in an array',
  'comment as a number',
  'customFields as text',
  'customField1 as a number',
] as const;
/** Amounts in cents on which the documents are silent; one that depends on the balance is a function of it. */
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

/** The cards between which transfers are made, and the form of the requests. */
export interface TransferSetting {
  t: Context;
  balances: Balances;
  plain: TransferFacts['plain'];
  source: string;
  target: string;
  /** Members other than target and amount. */
  members: Record<string, unknown>;
}

/** Outcomes of the transfers. Amounts are in cents. */
export interface TransferFacts {
  source: string;
  target: string;
  /** A transfer with target and amount alone, plus what the fixtures add to every transfer. */
  alone: Step<TransferAttempt>;
  /** The first transfer that moved money, in any form, else the first of all. @throws Inconclusive when none did, though one had before in this run */
  plain: Step<PlainTransfer>;
  /** Further transfers that should move their amounts; a rule of the target may explain a refusal. */
  further: Record<string, Step<TransferAttempt & { from: string; to: string }>>;
  /** Two repetitions of the plain transfer. */
  repeated: Step<TransferAttempt[]>;
  /** Two transfers in one direction and one in the other at the same moment, and the changes due by their answers. */
  together: Step<{ requests: WholeTransfer[]; answers: Answer[]; gains: BalanceChanges; due: BalanceChanges }>;
  /** The whole balance, sent twice at the same moment. */
  spentTwice: Step<DoubleSpend>;
  /** Balances of both cards after the plain transfer, by getBalance and by the record. */
  records: Step<Recorded[]>;
  refused: Record<(typeof REFUSED)[number], Step<TransferAttempt>>;
  mistyped: Record<(typeof MISTYPED)[number], Step<TransferAttempt>>;
  unusual: Record<UnusualAmount, Step<TransferAttempt>>;
  badly: Step<(TransferAttempt & { name: string })[]>;
  toForeign: Step<TransferAttempt>;
  fromForeign: Step<TransferAttempt[]>;
  /** The answer to a transfer that moved its amount. */
  success: Answer | undefined;
  /** Balance changes after all of them, without a further request. */
  late: Step<BalanceChanges>;
  /** A plain transfer after all of them: if it moves nothing, a limit of the target may explain the refusals before it. */
  last: Step<TransferAttempt>;
  /** Whether the balances change by themselves. */
  drift: Step<boolean>;
}

/** Two transfers of the whole balance at the same moment. */
export interface DoubleSpend {
  answers: Answer[];
  /** The whole balance, in cents. */
  cents: number;
  gains: BalanceChanges;
  /** Whether both moved the balance, though the second of two consecutive ones does not: so the card may not be overdrawn. */
  isSpentTwice: boolean;
}
