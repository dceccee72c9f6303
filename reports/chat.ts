/** The result of a run as a message for a chat, by an incoming webhook. */
import type { RequirementResult } from '../contracts/record.ts';
import { writeFileJson } from '../files/json.ts';
import { beforeInWords, deltaInWords, deltaOf } from './delta.ts';
import { hindrances, sandboxInWords, targetInWords, verdictInWords } from './headline.ts';
import { capital, count, cut, visible } from './text.ts';
import type { View } from './view.ts';

/** Number of causes that a message names. */
const MOST = 5;
/** Number of days before its date from which a known failure is named. */
const SOON_DAYS = 14;
/** Characters of a line. */
const LONGEST = 200;
const DAY_MS = 86_400_000;

/**
 * The message as JSON with a member `text`, which the incoming webhooks of Slack, Mattermost, Google Chat and Rocket.Chat take: the verdict, what
 * changed, the first causes, known failures that end soon, the address of the page.
 */
export function chatJson(view: View): string {
  const { conformance, findings, comparison, history, page } = view;
  const { failures, known } = findings;
  const delta = comparison && deltaOf(comparison, history);
  const rest = failures.length - MOST;
  const sandbox = sandboxInWords(conformance);
  const lines = [
    `${conformance.summary.verdict.toUpperCase()} ${targetInWords(conformance)}: ${verdictInWords(conformance)}`,
    ...(sandbox ? [sandbox] : []),
    ...hindrances(conformance).map(([name, why]) => `${capital(name)}: ${why}`),
    ...(delta ? [`Since ${beforeInWords(delta)}: ${deltaInWords(delta)}`] : []),
    ...failures.slice(0, MOST).map(({ requirements: [first], message, unseen }) => {
      const hides = unseen.length > 0 ? ` (hides ${unseen.length})` : '';
      return `• ${first!.id}: ${message}${hides}`;
    }),
    ...(rest > 0 ? [`and ${count(rest, 'more cause')}`] : []),
    ...endingSoon(known, Date.parse(conformance.run.finishedAt)),
  ];
  // The address is the pipeline's own, and has to be whole.
  const address = page !== undefined && /^https?:/.test(page) ? [page] : [];
  return `${writeFileJson({ text: [...lines.map(harmless), ...address].join('\n') }, 1)}\n`;
}

/** Known failures that are soon to be mended. @param now in milliseconds since the epoch */
const endingSoon = (known: readonly RequirementResult[], now: number): string[] =>
  known.flatMap(({ id, known: entry }) => {
    const { expires, reason, link } = entry!;
    const isSoon = expires !== undefined && Date.parse(expires) - now < SOON_DAYS * DAY_MS;
    return isSoon ? [`Known until ${expires}: ${id}, ${reason}${link ? `, ${link}` : ''}`] : [];
  });

/** A line that mentions nobody and links nowhere, whatever a target put into it. */
const harmless = (line: string): string =>
  cut(visible(line), LONGEST)
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('&', '＆')
    .replaceAll('@', '＠')
    .replaceAll('](', '] (')
    .replaceAll('`', "'");
