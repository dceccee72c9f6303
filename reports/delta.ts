/** A short summary of the changes since the baseline: for a chat message, and the top of every report. */
import type { Conformance } from '../contracts/record.ts';
import { wearInWords } from './cards-left.ts';
import { aboutFixed, type Comparison, type RequirementChange } from './compare.ts';
import { hindrances } from './headline.ts';
import { link, plain } from './markdown-text.ts';
import { anchor } from './page/verdicts.ts';
import { count, dateInWords } from './text.ts';
import type { Change, View } from './view.ts';

/** Number of findings and reasons that the message names. */
const MOST = 12;

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

/** What changed since the baseline for one reason, once, however many requirements it concerns. */
export interface ChangeGroup {
  change: Change;
  /** The finding that is new; else why it is no longer seen, or what was found before it was fixed. */
  what: string;
  /** Ids of requirements; never empty. */
  requirements: string[];
}

/** What the requirements have in common that nobody sees because of failures. */
const HIDDEN = 'failures hide it';

/** The changes of musts by finding or reason, by kind and then by how many they concern. What could not be tried at all is no change: `hindrances` says why. */
export function changeGroups({ comparison, findings }: Pick<View, 'comparison' | 'findings'>): ChangeGroup[] {
  if (!comparison) return [];
  const hidden = new Set(findings.failures.flatMap(({ unseen }) => unseen.map(({ id }) => id)));
  const blocked = new Set(comparison.newlyNotSeen.filter(({ after }) => after === 'blocked').map(({ id }) => id));
  const found = new Map(
    findings.failures.flatMap(({ message, requirements }) => requirements.map(({ id }) => [id, message] as const)),
  );
  return listsOf(deltaOf(comparison)).flatMap(([change, list]) => {
    const shown = list.filter(({ id }) => hidden.has(id) || !blocked.has(id));
    const byReason = Map.groupBy(shown, ({ id, reason }) => found.get(id) ?? (hidden.has(id) ? HIDDEN : reason));
    return [...byReason]
      .map(([what, of]) => ({ change, what, requirements: of.map(({ id }) => id) }))
      .sort((a, b) => b.requirements.length - a.requirements.length);
  });
}

/** A group of changes in one sentence. */
export const changeInWords = ({ change, what }: ChangeGroup): string => (change === 'fixed' ? `was: ${what}` : what);

/** The place of a group on the page: its failure, or its first requirement. */
export const placeOf = ({ change, requirements: [first] }: ChangeGroup): string =>
  anchor(change === 'new' || change === 'failing otherwise' ? 'f' : 'r', first!);

/** The delta as a short Markdown message: first what prevented the run, then each finding or reason once. */
export function deltaMarkdown(view: View & { comparison: Comparison }): string {
  const delta = deltaOf(view.comparison);
  const { target, now } = delta;
  const groups = changeGroups(view);
  return [
    `**${now.verdict}** ${plain(`${target.name} ${target.version}`.trim())}: ${plain(deltaInWords(delta))} (since ${plain(beforeInWords(delta))})`,
    '',
    ...hindrances(view.conformance).map(([name, why]) => `- **${name}**: ${plain(why)}`),
    ...groups
      .slice(0, MOST)
      .map(
        (group) =>
          `- **${group.change}**: ${plain(changeInWords(group))} (${requirementsMarkdown(group.requirements, placeOf(group), view.page)})`,
      ),
    ...wearInWords(view.conformance).map((sentence) => `- **cards**: ${plain(sentence)}`),
    ...(groups.length > MOST ? [`- and ${count(groups.length - MOST, 'more change')}`] : []),
    '',
  ].join('\n');
}

/** The first requirement, which leads to its place on the page, and how many more there are. */
export function requirementsMarkdown(
  [first, ...others]: readonly string[],
  place: string,
  page: string | undefined,
): string {
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return `${link(first!, page && `${page}#${place}`)}${more}`;
}
