/** Determines what a run has not seen, and why. */
import { type Conformance, type Risk, SUSPECTED, type Verdict } from '../contracts/record.ts';

/** What a lower risk leaves unseen, in the words of a summary. */
const UNSEEN_AT: Record<Risk, string> = {
  safe: 'the limit of 40 characters, states of cards, money, permissions, orders, CIP checks',
  reversible:
    'activation, closing, reissue, lost cards, PINs and wallets, permissions without values to restore, orders, ' +
    'CIP checks and with them the limit of 40 characters',
  irreversible: '',
};

/** Requirements that were not seen for the same reason. */
export interface Unseen {
  /** 'out of scope' takes precedence over the verdict. */
  kind: 'out of scope' | Exclude<Verdict, 'passed' | 'failed'>;
  reason: string;
  /** Ids, in the order of the catalogue. */
  requirements: string[];
}

/** What was not seen, grouped by reason; in the order of kinds, what is suspected first, then the largest group. */
export function unseen({ requirements }: Pick<Conformance, 'requirements'>): Unseen[] {
  const kinds = ['blocked', 'inconclusive', 'skipped', 'notApplicable', 'out of scope'] as const;
  const groups = new Map<string, Unseen>();
  for (const { id, inScope, verdict, reason } of requirements) {
    const kind = kinds.find((one) => one === (inScope ? verdict : 'out of scope'));
    if (kind === undefined) continue;
    const key = `${kind}\n${reason}`;
    const group = groups.get(key) ?? { kind, reason, requirements: [] };
    group.requirements.push(id);
    groups.set(key, group);
  }
  const isSuspected = ({ reason }: Unseen) => Number(reason.startsWith(SUSPECTED));
  return [...groups.values()].sort(
    (a, b) =>
      kinds.indexOf(a.kind) - kinds.indexOf(b.kind) ||
      isSuspected(b) - isSuspected(a) ||
      b.requirements.length - a.requirements.length,
  );
}

/** The kind of a group in words. */
export const kindInWords = (kind: Unseen['kind']): string => (kind === 'notApplicable' ? 'not applicable' : kind);

/** What the allowed risk leaves unseen, as one sentence; empty at the highest risk, and where others made the exchanges. */
export function unseenAtRisk({ risk, source = 'target' }: Conformance['run']): string {
  if (source !== 'target') return '';
  return UNSEEN_AT[risk] && `Risk ${risk} (RUN_RISK) leaves unseen: ${UNSEEN_AT[risk]}.`;
}
