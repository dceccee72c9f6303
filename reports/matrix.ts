/**
 * The page that compares several targets: the targets by verdict and change, then requirements down and targets across,
 * with links into the report of each.
 */
import { readFileSync } from 'node:fs';
import type { Conformance, RequirementResult } from '../contracts/record.ts';
import { type Breadth, breadthInWords } from './breadth.ts';
import { type Delta, deltaInWords } from './delta.ts';
import { targetInWords, verdictInWords } from './headline.ts';
import type { TargetHistory } from './history.ts';
import { knownFailures } from './matrix-known.ts';
import { type Html, html } from './page/html.ts';
import { trend } from './page/trend.ts';
import { anchor, SHOWN, type Shown, shownOf, sign, wordOf } from './page/verdicts.ts';
import { plainPage } from './plain-page.ts';
import { cut, dateInWords } from './text.ts';

/** One target of the page. */
export interface Target {
  conformance: Conformance;
  /** Address of its report relative to the page; undefined if there is none. */
  link?: string | undefined;
  /** The change since its baseline, if there is one. */
  delta?: Delta | undefined;
  /** How much has been tried of what rotates, if anything does. */
  breadth?: Breadth | undefined;
  /** The earlier runs of the target. */
  history?: TargetHistory | undefined;
}

/**
 * The page. It loads nothing and reads without scripts; with them it can be narrowed to differences, failures and a
 * search text, which the address keeps. Requirements are in the order of the first run, targets in order of urgency.
 */
export function matrix(given: readonly Target[]): string {
  const targets = given
    .map((target) => ({
      ...target,
      byId: new Map(target.conformance.requirements.map((requirement) => [requirement.id, requirement])),
    }))
    .toSorted((a, b) => urgency(a) - urgency(b));
  const all = given.flatMap(({ conformance }) => conformance.requirements.map((one) => [one.id, one] as const));
  const rows = [...new Map(all.toReversed()).values()].toReversed();
  const operations = Map.groupBy(rows, ({ id }) => operationOf(id));
  const heads = targets.map(
    (target, index) =>
      html`<th scope="col" class="${target.conformance.summary.verdict}"><span><span class="place">${index + 1}</span> ${named(target)}</span></th>`,
  );
  return plainPage(
    'Conformance of several targets',
    html`<h1>Conformance of ${targets.length} targets</h1>
<p>${verdictsInWords(targets)}${differingCatalogues(targets)}</p>
<section aria-labelledby="targets"><h2 id="targets">Targets</h2>
<table class="targets"><thead><tr><th scope="col">#</th><th scope="col">Target</th><th scope="col">Verdict</th><th scope="col">Since the baseline</th><th scope="col">Failed musts by night</th><th scope="col">Tried</th><th scope="col">Run</th></tr></thead>
<tbody>${targets.map(targetRow)}</tbody></table></section>
${knownFailures(targets)}<section aria-labelledby="requirements"><h2 id="requirements">Requirements</h2>
<form class="search" role="search" hidden><input type="search" id="search" placeholder="Search requirements" aria-label="Search requirements"><select id="show" aria-label="Which requirements"><option value="">all</option><option value="failures">failures</option><option value="differences">differences</option></select><output id="found" aria-live="polite"></output></form>
<ul class="legend" aria-label="Signs">${SHOWN.map(({ name, word }) => html`<li class="${name}">${sign(name)} ${word}</li>`)}<li>(empty) not in the catalogue of that run</li></ul>
<div class="grid" tabindex="0" role="region" aria-label="Requirements and targets"><table>
<thead><tr><th scope="col">Requirement</th>${heads}</tr></thead>
${[...operations].map(([operation, group]) => operationRows(operation, group, targets))}
</table></div></section>`,
    { script: asset('overview.js'), style: asset('overview.css') },
  );
}

type Column = Target & { byId: ReadonlyMap<string, RequirementResult> };

const asset = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

const operationOf = (id: string): string => id.split('.').slice(0, 2).join('.');

const ORDER = ['nonconformant', 'incomplete', 'conformant'] as const;

/** Order of urgency: new failures, then failures, then incomplete runs; more failures first. */
function urgency({ conformance: { summary }, delta }: Target): number {
  const changed = (delta?.new.length ?? 0) + (delta?.failingOtherwise.length ?? 0) + (delta?.noLongerSeen.length ?? 0);
  const failed = Math.min(summary.must.failed + summary.must.knownFailed, 9999);
  return ORDER.indexOf(summary.verdict) * 100_000 - (changed > 0 ? 10_000 : 0) - failed;
}

function verdictsInWords(targets: readonly Target[]): string {
  const numbers = ORDER.map(
    (verdict) =>
      [targets.filter(({ conformance }) => conformance.summary.verdict === verdict).length, verdict] as const,
  );
  return `${numbers
    .filter(([number]) => number > 0)
    .map(([number, verdict]) => `${number} ${verdict}`)
    .join(', ')}. `;
}

function differingCatalogues(targets: readonly Target[]): string {
  const digests = new Set(targets.map(({ conformance }) => conformance.suite.catalogueDigest));
  return digests.size > 1
    ? 'The runs are of different catalogues, so that some requirements are not in all of them.'
    : '';
}

/** The target's name, linked to its report if there is one. */
function named({ conformance, link }: Target): Html {
  const { target } = conformance;
  const name = targetInWords({ target: { ...target, name: cut(target.name, 44) } }) || 'unnamed';
  return link === undefined ? html`${name}` : html`<a href="${link}">${name}</a>`;
}

function targetRow(target: Column, index: number): Html {
  const { conformance, delta, breadth, history } = target;
  const { summary, run } = conformance;
  return html`<tr id="t${index + 1}"><td class="number">${index + 1}</td><th scope="row">${named(target)}</th><td class="${summary.verdict}"><b>${summary.verdict}${summary.partial && ', partial'}</b> <span class="aside">${verdictInWords(conformance)}</span></td><td>${
    delta === undefined
      ? html`<span class="aside">no baseline</span>`
      : delta.unchanged
        ? 'unchanged'
        : deltaInWords(delta)
  }</td><td>${history && trend(history)}</td><td class="aside">${breadth && breadthInWords(breadth)}</td><td class="aside"><time datetime="${run.startedAt}">${dateInWords(run.startedAt)}</time>, ${run.risk}${run.selection !== 'all' && `, ${cut(run.selection, 60)}`}</td></tr>
`;
}

function operationRows(operation: string, rows: readonly RequirementResult[], targets: readonly Column[]): Html {
  return html`<tbody>
<tr class="group"><th scope="rowgroup"><code>${operation}</code></th>${targets.map((target) => html`<td>${kept(rows, target)}</td>`)}</tr>
${rows.map((requirement) => requirementRow(requirement, targets))}</tbody>
`;
}

/** Number of failed musts of an operation at a target; a dash if none is in scope. */
function kept(rows: readonly RequirementResult[], { byId }: Column): string {
  const musts = rows
    .flatMap(({ id }) => byId.get(id) ?? [])
    .filter(({ inScope, level }) => inScope && level === 'must');
  const failed = musts.filter(({ verdict }) => verdict === 'failed').length;
  return musts.length === 0 ? '·' : failed > 0 ? String(failed) : '';
}

function requirementRow({ id, text, level }: RequirementResult, targets: readonly Column[]): Html {
  const shown = targets.map(({ byId }) => {
    const requirement = byId.get(id);
    return requirement && shownOf(requirement);
  });
  const fails = shown.some((one) => one === 'failed' || one === 'known' || one === 'advice');
  const differs = new Set(shown).size > 1;
  return html`<tr data-text="${`${id} ${text}`.toLowerCase()}" class="${fails && 'fails'} ${differs && 'differs'}"><th scope="row">${text} <code class="id">${id}</code>${level === 'should' && html` <span class="level">should</span>`}</th>${targets.map((target, index) => cell(id, shown[index], target))}</tr>
`;
}

const FAILED: readonly (Shown | undefined)[] = ['failed', 'known', 'advice'];

function cell(id: string, shown: Shown | undefined, { link, byId, conformance }: Column): Html {
  if (shown === undefined) return html`<td></td>`;
  const words = html`${sign(shown)}<span class="said">${wordOf(shown)}</span>`;
  if (!FAILED.includes(shown)) return html`<td class="${shown}">${words}</td>`;
  const why = cut(`${targetInWords(conformance)}: ${byId.get(id)!.reason}`, 240);
  return link === undefined
    ? html`<td class="${shown}" title="${why}">${words}</td>`
    : html`<td class="${shown}" title="${why}"><a href="${link}#${anchor('f', id)}">${words}</a></td>`;
}
