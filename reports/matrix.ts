/** A page of several targets side by side: requirements down, targets across. */
import type { Conformance, Counts, RequirementResult } from '../contracts/record.ts';
import { LEVELS } from '../contracts/record.ts';
import { COUNTS, targetInWords, verdictInWords } from './headline.ts';
import type { Html } from './page/html.ts';
import { html } from './page/html.ts';
import { SHOWN, shownOf, sign, wordOf } from './page/verdicts.ts';
import { plainPage } from './plain-page.ts';
import { cut } from './text.ts';

/** The matrix of several runs, as a page without scripts that loads nothing. Requirements are in the order of the first run. */
export function matrix(runs: readonly Conformance[]): string {
  const targets: Target[] = runs.map((run) => ({
    run,
    byId: new Map(run.requirements.map((requirement) => [requirement.id, requirement])),
  }));
  const rows = [...new Map(runs.flatMap(({ requirements }) => requirements.map((one) => [one.id, one]))).values()];
  const operations = Map.groupBy(rows, ({ id }) => operationOf(id));
  return plainPage(
    'Conformance of several targets',
    html`<h1>Conformance of several targets</h1>
<p>Requirements down, targets across. ${differingCatalogues(runs)}</p>
<p>${SHOWN.map(({ name, word }) => html`<span class="${name}">${sign(name)} ${word}</span> &#160; `)}<span>(empty) not in the catalogue of that run</span></p>
<div class="scroll" tabindex="0" role="region" aria-label="Matrix of requirements and targets"><table>
<thead><tr><th scope="col">Requirement</th><th scope="col">Level</th>${targets.map(({ run }) => html`<th scope="col">${targetInWords(run)}</th>`)}</tr></thead>
<tbody>${overview(runs)}</tbody>
${[...operations].map(([operation, group]) => operationRows(operation, group, targets))}
</table></div>
${targets.map(failures)}`,
  );
}

interface Target {
  run: Conformance;
  byId: ReadonlyMap<string, RequirementResult>;
}

const operationOf = (id: string): string => id.split('.').slice(0, 2).join('.');

function differingCatalogues(runs: readonly Conformance[]): string {
  const digests = new Set(runs.map(({ suite }) => suite.catalogueDigest));
  return digests.size > 1
    ? 'The runs are of different catalogues, so that some requirements are not in all of them.'
    : '';
}

function overview(runs: readonly Conformance[]): Html[] {
  const row = (name: string, level: string, cell: (run: Conformance) => string | number) =>
    html`<tr><th scope="row">${name}</th><td>${level}</td>${runs.map((run) => html`<td>${cell(run)}</td>`)}</tr>\n`;
  return [
    row('Verdict', '', ({ summary }) => summary.verdict + (summary.partial ? ', partial' : '')),
    row('In words', '', verdictInWords),
    row(
      'Run',
      '',
      ({ run }) =>
        `${run.startedAt.slice(0, 10)}, risk ${run.risk}${run.selection === 'all' ? '' : `, ${run.selection}`}`,
    ),
    row('Suite', '', ({ suite }) => `${suite.version}, catalogue ${suite.catalogueDigest.slice(0, 12)}`),
    ...LEVELS.map((level) => row('Counts', level, ({ summary }) => countsInWords(summary[level]))),
  ];
}

const countsInWords = (counts: Counts): string =>
  COUNTS.flatMap(([key, name]) => (counts[key] > 0 ? [`${counts[key]} ${name}`] : [])).join(', ');

function operationRows(operation: string, rows: readonly RequirementResult[], targets: readonly Target[]): Html {
  const kept = ({ byId }: Target) => {
    const own = rows.flatMap(({ id }) => byId.get(id) ?? []);
    const musts = own.filter(({ inScope, level }) => inScope && level === 'must');
    const passed = musts.filter(({ verdict }) => verdict === 'passed').length;
    if (musts.length === 0) return own.some(({ inScope }) => !inScope) ? 'out of scope' : '';
    return `${passed} of ${musts.length} passed`;
  };
  return html`<tbody>
<tr class="group"><th scope="rowgroup"><strong><code>${operation}</code></strong></th><td>must</td>${targets.map((target) => html`<td>${kept(target)}</td>`)}</tr>
${rows.map(
  ({ id, text, level }) =>
    html`<tr><th scope="row">${text} <code class="id">${id}</code></th><td>${level}</td>${targets.map(({ byId }) => cell(byId.get(id)))}</tr>\n`,
)}</tbody>\n`;
}

function cell(requirement: RequirementResult | undefined): Html {
  if (requirement === undefined) return html`<td></td>`;
  const shown = shownOf(requirement);
  return html`<td class="${shown}">${sign(shown)} ${wordOf(shown)}</td>`;
}

function failures({ run }: Target): Html {
  const failed = run.requirements.filter(({ inScope, verdict }) => inScope && verdict === 'failed');
  if (failed.length === 0) return html``;
  return html`<section><h2>What failed at ${targetInWords(run)}</h2>
<dl>${failed.map(
    (requirement) =>
      html`<dt><span class="${shownOf(requirement)}">${wordOf(shownOf(requirement))}</span> <code>${requirement.id}</code></dt><dd>${cut(requirement.reason, 500)}${requirement.known && ` (${requirement.known.reason})`}</dd>\n`,
  )}</dl></section>\n`;
}
