/** The account of a run in words: money, orders, checks, what was undone, what stays, and what cards have now. */
import type { Account, Conformance } from '../contracts/record.ts';
import { count, visible } from './text.ts';

type Recorded = { run: Pick<Conformance['run'], 'account'> };

/** A line of the account: what it is about, and what there is to say. */
export type AccountLine = readonly [about: string, text: string];

/** The account in lines, for people; undefined where the run keeps none, as of traffic that others made. */
export function accountLines({ run: { account } }: Recorded): AccountLine[] | undefined {
  if (!account) return undefined;
  const { money, orders, cipChecks, usedUp, changes } = account;
  const times = (of: 'undone' | 'stays' | 'open') =>
    changes
      .filter((one) => one[of] > 0)
      .map((one) => `${one[of]} × ${visible(one.operation)}`)
      .join(', ');
  const lines: AccountLine[] = [
    ['money', moneyInWords(money)],
    ['accepted', `${count(orders, 'order')}, ${count(cipChecks, 'CIP check')}`],
    ['undone', times('undone') || 'nothing'],
    ['stays', times('stays') || 'nothing'],
  ];
  if (times('open')) lines.push(['not undone', times('open')]);
  if (usedUp.length > 0) lines.push(['used up', count(usedUp.length, 'card')]);
  return lines;
}

const moneyInWords = ({ transfers, moved, missing }: Account['money']): string =>
  `${count(transfers, 'transfer')} accepted, of ${moved.toFixed(2)} in all; ${missing > 0 ? `${missing.toFixed(2)} is missing or was taken as fees` : 'nothing is missing'}`;

type Card = Account['cards'][number];

/** A card before or after, as far as it was read. */
export const readingInWords = ({
  status,
  balance,
}: { [Key in keyof Card['before']]: Card['before'][Key] | undefined }): string =>
  [balance?.toFixed(2), status && visible(status)].filter(Boolean).join(', ') || 'not read';

/** Cards that have less than before, or that a run should have left as they were. */
export const cardsNotAsBefore = ({ run: { account } }: Recorded): Card[] =>
  (account?.cards ?? []).filter(({ pool, before, after }) => {
    const hasLess = (after.balance ?? 0) < (before.balance ?? 0) && after.balance !== undefined;
    return hasLess || (pool === 'active' && after.status !== undefined && after.status !== before.status);
  });
