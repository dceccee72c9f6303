/** Formats a comparison of two runs as text, Markdown and a page. */
import type { Comparison, LatencyChange, ObservationChange, RequirementChange, Side } from './compare.ts';
import { plain, table } from './markdown-text.ts';
import { type Html, html } from './page/html.ts';
import { anchor } from './page/verdicts.ts';
import { plainPage } from './plain-page.ts';
import { capital, count, cut, dateInWords, visible } from './text.ts';

/** Number of rows of a section shown as text. */
const MOST = 50;

/** Summarises the changes in one sentence. */
export function comparisonInWords(comparison: Comparison): string {
  if (comparison.unchanged) return 'Unchanged: no requirement and no observation differs.';
  const parts = sections(comparison)
    .filter(({ isChange }) => isChange)
    .map(({ title, rows, total = rows.length }) => `${total} ${title}`);
  const { length } = comparison.regressions;
  const regressions =
    length > 0
      ? ` ${count(length, 'must requirement')} passed before and no longer ${length === 1 ? 'does' : 'do'}.`
      : '';
  return `Changed: ${parts.join(', ')}.${regressions}`;
}

/** The comparison for a terminal. */
export function comparisonText(comparison: Comparison): string {
  const lines = [
    '',
    comparisonInWords(comparison),
    `  before  ${sideInWords(comparison.before)}`,
    `  now     ${sideInWords(comparison.after)}`,
  ];
  for (const { title, columns, rows, total = rows.length } of sections(comparison)) {
    lines.push('', `${capital(title)} (${total})`);
    for (const row of rows.slice(0, MOST)) {
      const [first = '', ...others] = row.map((cell) => cut(visible(cell), 200));
      lines.push(`  ${first}`);
      lines.push(
        ...others.map((cell, i) => `      ${columns[i + 1]?.padEnd(8)} ${cell}`).filter((_, i) => others[i] !== ''),
      );
    }
    if (rows.length > MOST) lines.push(`  … and ${rows.length - MOST} more`);
  }
  return [...lines, ''].join('\n');
}

/** The comparison as Markdown, with headings of the third level to fit into a summary. */
export function comparisonMarkdown(comparison: Comparison): string {
  const lines = [comparisonInWords(comparison), ''];
  lines.push(
    `- before: ${plain(sideInWords(comparison.before))}`,
    `- now: ${plain(sideInWords(comparison.after))}`,
    '',
  );
  for (const { title, columns, rows, total = rows.length } of sections(comparison)) {
    lines.push(
      `### ${capital(title)} (${total})`,
      '',
      ...table(
        columns,
        rows.map((row) => row.map(plain)),
      ),
    );
  }
  return lines.join('\n');
}

/** Addresses of both runs' reports, relative to the page. */
export interface ReportLinks {
  before?: string | undefined;
  after?: string | undefined;
}

/** The comparison as a page of its own. */
export function comparisonPage(comparison: Comparison, links: ReportLinks = {}): string {
  return plainPage(
    'Comparison of two runs',
    html`<h1>Comparison of two runs</h1>
<p>${comparisonInWords(comparison)}</p>
<dl><dt>Before</dt><dd>${sideInWords(comparison.before)} ${reportLink(links.before)}</dd><dt>Now</dt><dd>${sideInWords(comparison.after)} ${reportLink(links.after)}</dd></dl>
${sections(comparison).map(
  ({ title, columns, rows, total = rows.length }) => html`<section><h2>${capital(title)} (${total})</h2>
<div class="scroll" tabindex="0" role="region" aria-label="${capital(title)}"><table><thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(([first, ...others]) => html`<tr><th scope="row">${placeOf(first ?? '', links.after)}</th>${others.map((cell, index) => html`<td data-column="${columns[index + 1]!}">${cell}</td>`)}</tr>\n`)}</tbody></table></div></section>\n`,
)}`,
    { style: STACKED },
  );
}

/** On a phone each row becomes a block, with the column names beside the cells. */
const STACKED = `
td { max-width: 32rem; overflow-wrap: anywhere; }
@media (max-width: 44rem) {
  thead { display: none; }
  tr { display: block; padding: 0.4rem 0; border-bottom: 1px solid var(--line); }
  tbody th, td { display: block; border: 0; padding: 0.1rem 0; }
  td:empty { display: none; }
  td::before { content: attr(data-column) ": "; color: var(--soft); }
}
`;

const reportLink = (link: string | undefined): Html | false =>
  link !== undefined && html`<a href="${link}">its report</a>`;

/** A requirement, linked to its place in the later report. */
const placeOf = (id: string, link: string | undefined): Html =>
  link === undefined ? html`<code>${id}</code>` : html`<a href="${link}#${anchor('r', id)}"><code>${id}</code></a>`;

interface Section {
  title: string;
  /** Number of things that its rows are about, where it is another than that of the rows. */
  total?: number;
  /** Whether its entries make the runs differ. */
  isChange: boolean;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** All non-empty sections. */
function sections(comparison: Comparison): Section[] {
  const { newlyFailing, failingDifferently, newlyNotSeen, fixed, newlySeen, stillFailing } = comparison;
  const isTriedInBoth = (change: RequirementChange) => change.isTriedInBoth;
  const isTriedInOne = (change: RequirementChange) => !change.isTriedInBoth;
  return [
    requirements('newly failing', newlyFailing.filter(isTriedInBoth)),
    requirements('failing by what was not tried before', newlyFailing.filter(isTriedInOne)),
    requirements('newly not seen', newlyNotSeen),
    requirements('failing in another way', failingDifferently),
    requirements('fixed', fixed.filter(isTriedInBoth)),
    requirements('passing, but not tried again by what failed', fixed.filter(isTriedInOne)),
    requirements('newly seen', newlySeen),
    observations(comparison.observations),
    failingAsBefore(stillFailing),
    latencies(comparison.latencies),
    ids("new with the suite's version", comparison.appeared),
    ids("gone with the suite's version", comparison.vanished),
  ].filter(({ rows }) => rows.length > 0);
}

/** Changed requirements; those that changed for one reason share a row. */
function requirements(title: string, changes: RequirementChange[]): Section {
  const groups = Map.groupBy(changes, ({ before, previousReason, after, reason, known }) =>
    JSON.stringify([
      finding(before, previousReason),
      finding(known === undefined ? after : `${after} as known: ${known}`, reason),
    ]),
  );
  return {
    title,
    total: changes.length,
    isChange: true,
    columns: ['Requirement', 'Sentence', 'Before', 'Now'],
    rows: [...groups].map(([key, [first, ...others]]) => [
      first!.id,
      `${first!.text}${first!.level === 'should' ? ' (should)' : ''}${others.length > 0 ? `; and ${count(others.length, 'more requirement')}` : ''}`,
      ...(JSON.parse(key) as string[]),
    ]),
  };
}

const finding = (verdict: string, reason: string): string => (reason === '' ? verdict : `${verdict}: ${reason}`);

const failingAsBefore = (changes: RequirementChange[]): Section => ({
  title: 'failing as before',
  isChange: false,
  columns: ['Requirement', 'Known'],
  rows: changes.map(({ id, known = '' }) => [id, known]),
});

const observations = (changes: ObservationChange[]): Section => ({
  title: 'observed otherwise',
  isChange: true,
  columns: ['Observation', 'Subject', 'Before', 'Now'],
  rows: changes.map(({ id, subject, before, after }) => [id, subject, before ?? 'not seen', after ?? 'not seen']),
});

const latencies = (changes: LatencyChange[]): Section => ({
  title: 'other latency',
  isChange: false,
  columns: ['Operation', 'Median before', 'Median now', '95 % before', '95 % now'],
  rows: changes.map(({ operation, before, after }) => [
    operation,
    ...[before.median, after.median, before.p95, after.p95].map((value) => `${Math.round(value)} ms`),
  ]),
});

const ids = (title: string, list: string[]): Section => ({
  title,
  isChange: false,
  columns: ['Requirement'],
  rows: list.map((id) => [id]),
});

const sideInWords = ({ target, suite, startedAt, selection, summary, path }: Side): string =>
  visible(
    `${target.name} ${target.version}`.trim() +
      `, ${summary.verdict}, ${dateInWords(startedAt)}, suite ${suite.version}${selection === 'all' ? '' : `, ${selection}`} (${path})`,
  );
