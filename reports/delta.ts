/** A short summary of the changes since the baseline: for a chat message, and the top of every report. */
import type { Conformance } from '../contracts/record.ts';
import { aboutFixed, type Comparison, type RequirementChange } from './compare.ts';
import { code } from './markdown-text.ts';
import { count, dateInWords } from './text.ts';
import type { Change } from './view.ts';

/** Number of requirements of a kind that the message names. */
const MOST = 5;

interface Changed {
  id: string;
  text: string;
  /** The current reason; the earlier one if it is fixed. */
  reason: string;
}

/** The change of the musts between a baseline and a run; shoulds are only counted. */
export interface Delta {
  target: Conformance['target'];
  before: DeltaSide;
  now: DeltaSide;
  unchanged: boolean;
  new: Changed[];
  failingOtherwise: Changed[];
  noLongerSeen: Changed[];
  fixed: Changed[];
  /** Number of requirements that fail as before. */
  stillFailing: number;
  /** Number of shoulds that fail now and did not, and the other way round. */
  advice: { new: number; fixed: number };
}

interface DeltaSide {
  startedAt: string;
  seed: number;
  version: string;
  verdict: Conformance['summary']['verdict'];
}

/** Reduces a comparison to what one message needs. */
export function deltaOf(comparison: Comparison): Delta {
  const { before, after } = comparison;
  const musts = (changes: readonly RequirementChange[], reason: (change: RequirementChange) => string) =>
    changes.filter(({ level }) => level === 'must').map((one) => ({ id: one.id, text: one.text, reason: reason(one) }));
  const shoulds = (changes: readonly RequirementChange[]) => changes.filter(({ level }) => level === 'should').length;
  const now = ({ reason }: RequirementChange) => reason;
  const then = ({ previousReason }: RequirementChange) => previousReason;
  const lists = {
    new: musts(comparison.newlyFailing, now),
    failingOtherwise: musts(comparison.failingDifferently, now),
    noLongerSeen: musts(comparison.newlyNotSeen, now),
    fixed: musts(comparison.fixed, then),
  };
  return {
    target: after.target,
    before: sideOf(before),
    now: sideOf(after),
    unchanged: Object.values(lists).every((list) => list.length === 0),
    ...lists,
    stillFailing: musts(comparison.stillFailing, now).length,
    advice: { new: shoulds(comparison.newlyFailing), fixed: shoulds(comparison.fixed) },
  };
}

const sideOf = ({ startedAt, seed, target, summary }: Comparison['before']): DeltaSide => ({
  startedAt,
  seed,
  version: target.version,
  verdict: summary.verdict,
});

/** The lists of a delta by name, in the order of the reports. */
export const listsOf = (delta: Delta): [Change, Changed[]][] => [
  ['new', delta.new],
  ['failing otherwise', delta.failingOtherwise],
  ['no longer seen', delta.noLongerSeen],
  ['fixed', delta.fixed],
];

/** The delta in one sentence: `1 new, 2 fixed, 3 failing as before`. */
export function deltaInWords(delta: Delta): string {
  const { before, now } = delta;
  const parts = listsOf(delta).flatMap(([name, list]) => (list.length > 0 ? [`${list.length} ${name}`] : []));
  if (delta.stillFailing > 0) parts.push(`${delta.stillFailing} failing as before`);
  const { new: more, fixed: fewer } = delta.advice;
  if (more + fewer > 0) parts.push(`advice: ${more} new and ${fewer} fixed`);
  if (parts.length === 0) return 'nothing changed, and nothing fails';
  const hint = aboutFixed(delta.fixed.length, before, now);
  return `${parts.join(', ')}${hint && `; ${hint}`}`;
}

/** The run that a delta is based on: `2026-05-10 02:00 UTC, version 1.2, conformant`. */
export const beforeInWords = ({ before: { startedAt, version, verdict } }: Delta): string =>
  [dateInWords(startedAt), ...(version ? [`version ${version}`] : []), verdict].join(', ');

/** The delta as a short Markdown message, with all text of a target in code spans. */
export function deltaMarkdown(delta: Delta): string {
  const { target, now } = delta;
  const lines = [
    `**${now.verdict}** ${code(`${target.name} ${target.version}`.trim())}: ${deltaInWords(delta)} (since ${code(beforeInWords(delta))})`,
    '',
  ];
  for (const [name, list] of listsOf(delta)) {
    if (list.length === 0) continue;
    lines.push(`- **${name}**`);
    for (const { id, text } of list.slice(0, MOST)) lines.push(`  - ${code(id)} ${code(text)}`);
    if (list.length > MOST) lines.push(`  - and ${count(list.length - MOST, 'more requirement')}`);
  }
  return `${lines.join('\n').trimEnd()}\n`;
}
