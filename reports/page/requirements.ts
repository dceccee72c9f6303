/** The conformance matrix, and the requirements that its cells link to. */
import type { RequirementResult } from '../../contracts/record.ts';
import { GROUPS, type Group } from '../../contracts/requirements/requirement.ts';
import { count } from '../text.ts';
import { failureLink } from './failures.ts';
import { ABOUT, groupOf, operationOf } from './groups.ts';
import { type Html, html } from './html.ts';
import { anchor, badge, SHOWN, type Shown, shownOf, sign, wordOf } from './verdicts.ts';

/** Requirements by operation and group, in the order of the catalogue. */
export type Table = Map<string, Map<Group, RequirementResult[]>>;

/** Groups requirements by operation and then by group, in the order of the catalogue. */
export function tableOf(requirements: readonly RequirementResult[]): Table {
  const byOperation = Map.groupBy(requirements, operationOf);
  return new Map([...byOperation].map(([operation, own]) => [operation, Map.groupBy(own, groupOf)]));
}

/** Operations down, groups of requirements across; each cell links to its requirements. */
export function matrix(table: Table): Html {
  const heads = GROUPS.map((group) => html`<th scope="col" title="${ABOUT[group]}"><span>${group}</span></th>`);
  const rows = [...table].map(([operation, groups]) => {
    const [resource, name] = operation.split('.');
    const cells = GROUPS.map((group) => html`<td>${cell(operation, group, groups.get(group) ?? [])}</td>`);
    return html`<tr><th scope="row"><a href="#${anchor('o', operation)}"><span class="resource">${resource}.</span><wbr>${name}</a></th>${cells}</tr>`;
  });
  const legend = SHOWN.map(({ name }) => html`<li>${badge(name)}</li>`);
  return html`<table class="matrix"><thead><tr><th scope="col">Operation</th>${heads}</tr></thead><tbody>${rows}</tbody></table><ul class="legend" aria-label="Signs">${legend}</ul>`;
}

function cell(operation: string, group: Group, requirements: readonly RequirementResult[]): Html | false {
  if (requirements.length === 0) return false;
  const all = requirements.map(shownOf);
  const worst = SHOWN.find(({ name }) => all.includes(name))!.name;
  const number = all.filter((shown) => shown === worst).length;
  const passed = worst === 'passed' ? 0 : all.filter((shown) => shown === 'passed').length;
  const words = `${operation}, ${group}: ${number} of ${requirements.length} ${wordOf(worst)}${passed > 0 ? `, ${passed} passed` : ''}`;
  return html`<a class="cell ${worst}" href="#${anchor('c', `${operation}.${group}`)}" title="${words}">${sign(worst)}<span class="said">${words}</span><span class="count" aria-hidden="true">${number}</span>${passed > 0 && html`<span class="count rest" aria-hidden="true">✓ ${passed}</span>`}</a>`;
}

/** The requirements that the cells of the matrix link to. */
export function requirementList(table: Table): Html {
  return html`${[...table].map(([operation, groups]) => {
    const all = [...groups.values()].flat();
    return html`<section class="operation" id="${anchor('o', operation)}" data-holds="items"><h3><code>${operation}</code> <span class="aside">${tally(all)}</span></h3>${GROUPS.filter(
      (group) => groups.has(group),
    ).map(
      (group) =>
        html`<div class="group" id="${anchor('c', `${operation}.${group}`)}" data-holds="items"><h4>${group} <span class="aside">${ABOUT[group]}</span></h4>${groups.get(group)!.map(item)}</div>`,
    )}</section>`;
  })}`;
}

function tally(requirements: readonly RequirementResult[]): string {
  const all = requirements.map(shownOf);
  const counts = SHOWN.map(({ name, word }) => [all.filter((shown) => shown === name).length, word] as const);
  return counts
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${number} ${word}`)
    .join(' · ');
}

/** Number of checks of one requirement that are named. */
const CHECKS = 20;

function item(requirement: RequirementResult): Html {
  const { id, level, text, source, reason, checks, operations } = requirement;
  const shown: Shown = shownOf(requirement);
  const failed = requirement.inScope && requirement.verdict === 'failed';
  const others = operations.filter((operation) => !id.startsWith(`${operation}.`));
  return html`<details class="requirement" id="${anchor('r', id)}" data-shown="${shown}" data-level="${level}" data-text="${`${id} ${text}`.toLowerCase()}"><summary>${sign(shown)}<span class="said">${wordOf(shown)}: </span><span class="text">${text}</span> <span class="level">${level}</span></summary><div class="inside"><p><code>${id}</code>, <cite>${source.document}</cite>, “${source.section}”${others.length > 0 && html`, with ${others.join(', ')}`}</p>${
    reason && html`<p>${badge(shown)} ${withKeys(reason)}</p>`
  }${failed && html`<p>${failureLink(requirement)}</p>`}${
    checks.length > 0 &&
    html`<ul class="plain">${checks.slice(0, CHECKS).map((check) => html`<li>${sign(check.verdict)}<span class="said">${check.verdict}: </span>${check.name} <span class="aside">${count(check.exchanges.length, 'exchange')}</span></li>`)}${checks.length > CHECKS && html`<li>and ${checks.length - CHECKS} more</li>`}</ul>`
  }</div></details>`;
}

/** A reason with its variables, options and fixture keys highlighted, since they are what to supply. */
export function withKeys(reason: string): Html {
  const parts = reason.split(
    /(\b(?:TARGET|RUN|NODE|HTTPS?|NO)_[A-Z_]+\b|--[a-z][a-z-]+|\b(?:users|cards|portal)\.[A-Za-z][\w.]*\w)/,
  );
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code class="key">${part}</code>` : part))}`;
}
