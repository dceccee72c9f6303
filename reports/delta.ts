/** A short summary of the changes since the baseline: for a chat message, and the top of every report. */
import { type Conformance, LEVELS, type Level } from '../contracts/record.ts';
import { wearInWords } from './cards-left.ts';
import type { Cause } from './causes.ts';
import { CHANGES, type Change, type Changed, changesOf } from './changes.ts';
import type { Comparison } from './compare.ts';
import { hindrances } from './headline.ts';
import type { TargetHistory } from './history.ts';
import { link, plain } from './markdown-text.ts';
import { anchor } from './page/verdicts.ts';
import { count, dateInWords, some } from './text.ts';
import type { View } from './view.ts';

/** Number of findings and reasons that the message names. */
const MOST = 12;

/** A requirement that changed, with its current reason; the earlier one if it passes now. */
interface Named {
  id: string;
  text: string;
  reason: string;
}

/** Lists of what changed, see `CHANGES`. */
interface Lists {
  new: Named[];
  failingOtherwise: Named[];
  noLongerSeen: Named[];
  newToUs: Named[];
  flaky: Named[];
  notTriedAgain: Named[];
  fixed: Named[];
}

/** What changed between a baseline and a run: the musts, and the shoulds as advice. */
export interface Delta extends Lists {
  target: Conformance['target'];
  before: DeltaSide;
  now: DeltaSide;
  /** Whether no must changed. */
  unchanged: boolean;
  /** Number of requirements that fail as before. */
  stillFailing: number;
  advice: Lists;
}

interface DeltaSide {
  startedAt: string;
  seed: number;
  version: string;
  verdict: Conformance['summary']['verdict'];
}

/** Reduces a comparison to what one message needs. @param history by which what comes and goes is told from what changed */
export function deltaOf(comparison: Comparison, history?: TargetHistory): Delta {
  const { before, after } = comparison;
  const changed = changesOf(comparison, history);
  const musts = listsIn(changed, 'must');
  return {
    target: after.target,
    before: sideOf(before),
    now: sideOf(after),
    unchanged: Object.values(musts).every((list) => list.length === 0),
    ...musts,
    stillFailing: comparison.stillFailing.filter(({ level }) => level === 'must').length,
    advice: listsIn(changed, 'should'),
  };
}

function listsIn(changed: readonly Changed[], level: Level): Lists {
  const of = (change: Change) =>
    changed
      .filter((one) => one.change === change && one.requirement.level === level)
      .map(({ requirement: { id, text, after, reason, previousReason } }) => ({
        id,
        text,
        reason: after === 'passed' ? previousReason : reason,
      }));
  return {
    new: of('new'),
    failingOtherwise: of('failing otherwise'),
    noLongerSeen: of('no longer seen'),
    newToUs: of('new to us'),
    flaky: of('flaky'),
    notTriedAgain: of('not tried again'),
    fixed: of('fixed'),
  };
}

const sideOf = ({ startedAt, seed, target, summary }: Comparison['before']): DeltaSide => ({
  startedAt,
  seed,
  version: target.version,
  verdict: summary.verdict,
});

/** The lists of a delta by name, in the order of the reports. */
export const listsOf = (lists: Lists): [Change, Named[]][] => [
  ['new', lists.new],
  ['failing otherwise', lists.failingOtherwise],
  ['no longer seen', lists.noLongerSeen],
  ['new to us', lists.newToUs],
  ['flaky', lists.flaky],
  ['not tried again', lists.notTriedAgain],
  ['fixed', lists.fixed],
];

/** What is said of a kind of change once, where its name does not say it. */
const MEANT: Partial<Record<Change, string>> = {
  'new to us': 'not known to be new: the baseline did not try it',
  'not tried again': 'not known to be fixed',
};

/** The delta in one sentence: `1 new, 2 fixed, 3 failing as before`. */
export function deltaInWords(delta: Delta): string {
  const numbersOf = (lists: Lists, isExplained: boolean) =>
    listsOf(lists).flatMap(([name, { length }]) => {
      const meant = isExplained && MEANT[name] ? ` (${MEANT[name]})` : '';
      return length > 0 ? [`${length} ${name}${meant}`] : [];
    });
  const parts = numbersOf(delta, true);
  if (delta.stillFailing > 0) parts.push(`${delta.stillFailing} failing as before`);
  const advice = numbersOf(delta.advice, false);
  if (advice.length > 0) parts.push(`advice: ${advice.join(' and ')}`);
  return parts.length === 0 ? 'nothing changed, and nothing fails' : parts.join(', ');
}

/** The run that a delta is based on: `2026-05-10 02:00 UTC, version 1.2, conformant`. */
export const beforeInWords = ({ before: { startedAt, version, verdict } }: Delta): string =>
  [dateInWords(startedAt), ...(version ? [`version ${version}`] : []), verdict].join(', ');

/** What changed since the baseline for one cause, once, however many requirements it concerns. */
export interface ChangeGroup {
  /** Of several the first in the order of `CHANGES`. */
  change: Change;
  level: Level;
  /** The finding; else why it is no longer seen, or what was found before it was fixed. */
  what: string;
  /** Whether it fails now. */
  isFailing: boolean;
  /** Whether it fails by what the baseline did not try alone: what that tried was tried again, and passed. */
  isKeptAsBefore: boolean;
  /** Ids of requirements; never empty. */
  requirements: string[];
  /** Ids of those that are no longer seen because of it. */
  hides: string[];
}

/** What the requirements have in common that nobody sees because of failures. */
const HIDDEN = 'failures hide it';

/**
 * The changes by cause, musts before shoulds, by kind and then by how many they concern. What could not be tried at all is no change: `hindrances` says
 * why. What a failure hides is named with it where that changed, too.
 */
export function changeGroups({
  comparison,
  findings,
  history,
}: Pick<View, 'comparison' | 'findings' | 'history'>): ChangeGroup[] {
  if (!comparison) return [];
  const found = messagesById([...findings.failures, ...findings.advice], ({ requirements }) => requirements);
  const hiding = messagesById(findings.failures, ({ unseen }) => unseen);
  const changed = changesOf(comparison, history);
  const changing = new Set(changed.flatMap(({ requirement: { id } }) => found.get(id) ?? []));
  const isUnseen = ({ change }: Changed) => change === 'no longer seen';
  const isNamed = (one: Changed) => {
    const { id, after } = one.requirement;
    if (!isUnseen(one)) return true;
    return hiding.has(id) ? !changing.has(hiding.get(id)!) : after !== 'blocked';
  };
  const whatOf = ({ requirement: { id, after, reason, previousFinding } }: Changed) =>
    found.get(id) ?? (hiding.has(id) ? HIDDEN : after === 'passed' ? previousFinding : reason);
  const groups = Map.groupBy(changed.filter(isNamed), (one) =>
    JSON.stringify([one.requirement.level, found.has(one.requirement.id) || one.change, whatOf(one)]),
  );
  return [...groups.values()]
    .map((group) => {
      const what = whatOf(group[0]!);
      return groupOf(group, what, (id) => hiding.get(id) === what, changed.filter(isUnseen));
    })
    .sort(byUrgency);
}

/** What changed for one cause. @param isHidden whether that cause hides a requirement @param unseen what is no longer seen */
function groupOf(
  group: readonly Changed[],
  what: string,
  isHidden: (id: string) => boolean,
  unseen: readonly Changed[],
): ChangeGroup {
  const { change, requirement } = group[0]!;
  const hidden = requirement.level === 'must' ? unseen.map((one) => one.requirement.id).filter(isHidden) : [];
  return {
    change,
    level: requirement.level,
    what,
    isFailing: requirement.after === 'failed',
    isKeptAsBefore: group.every((one) => one.requirement.isKeptAsBefore),
    requirements: group.map((one) => one.requirement.id),
    hides: hidden,
  };
}

/** By id of the requirements that they concern, the messages of causes. */
const messagesById = (causes: readonly Cause[], of: (cause: Cause) => Cause['requirements']): Map<string, string> =>
  new Map(causes.toReversed().flatMap((cause) => of(cause).map(({ id }) => [id, cause.message] as const)));

const byUrgency = (a: ChangeGroup, b: ChangeGroup): number =>
  LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) ||
  CHANGES.indexOf(a.change) - CHANGES.indexOf(b.change) ||
  b.requirements.length - a.requirements.length;

/** The kind of a group's change: `new`, `advice, fixed`. */
export const nameOf = ({ change, level }: ChangeGroup): string => (level === 'should' ? `advice, ${change}` : change);

/** A group of changes in one sentence. */
export function changeInWords({ what, change, isFailing, isKeptAsBefore, hides }: ChangeGroup): string {
  const isPast = change === 'fixed' || change === 'not tried again' || (change === 'flaky' && !isFailing);
  const hidden = hides.length > 0 ? `; it hides ${some(hides, 1)}` : '';
  const kept = isKeptAsBefore ? '; what the baseline tried still passes' : '';
  return `${isPast ? 'was: ' : ''}${what}${kept}${hidden}`;
}

/** The place of a group on the page: its failure, or its first requirement. */
export const placeOf = ({ isFailing, requirements: [first] }: ChangeGroup): string =>
  anchor(isFailing ? 'f' : 'r', first!);

/** The delta as a short Markdown message: first what prevented the run, then each finding or reason once. */
export function deltaMarkdown(view: View & { comparison: Comparison }): string {
  const delta = deltaOf(view.comparison, view.history);
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
          `- **${nameOf(group)}**: ${plain(changeInWords(group))} (${requirementsMarkdown(group.requirements, placeOf(group), view.page)})`,
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
