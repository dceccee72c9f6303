/** The last page of the dossier: what was not seen and why, what changed, known failures, advice, digests, words; then the list of all requirements. */
import type { Conformance, RequirementResult } from '../../contracts/record.ts';
import type { Cause } from '../causes.ts';
import { changeInWords, nameOf } from '../delta.ts';
import { type Html, html } from '../page/html.ts';
import { shownOf, wordOf } from '../page/verdicts.ts';
import { count, some, visible } from '../text.ts';
import { kindInWords, unseen } from '../unseen.ts';
import type { View } from '../view.ts';
import type { Changes } from './changes.ts';
import type { Digests } from './digests.ts';
import { shortened } from './shortened.ts';

/** Number of lines of each list on the page; the rest stands below, for screens. */
const MOST = { reasons: 10, changes: 8, known: 6, advice: 6 };
/** Characters of a line. */
const LONGEST = 170;

/** The last page, and what only screens show. */
export function appendixPage(view: View, changes: Changes | undefined, digests: Digests): Html {
  const { conformance, findings } = view;
  return html`<section class="sheet appendix" aria-labelledby="rest"><h2 id="rest">What was not seen, and why</h2>${notSeen(conformance)}<h2>What changed since the last dossier</h2>${whatChanged(changes)}<h2>Appendix</h2>${known(findings.known)}${advice(findings.advice)}${digestList(digests)}${words()}</section>
${everything(conformance)}`;
}

/** A list of which the page has the beginning, and screens the rest. */
function listed<T>(items: readonly T[], most: number, lineOf: (item: T) => Html): Html {
  const rest = items.slice(most);
  return html`<ul class="lines">${items.slice(0, most).map((item) => html`<li>${lineOf(item)}</li>`)}</ul>${
    rest.length > 0 &&
    html`<p class="paper aside">and ${rest.length} more, in the file</p><details><summary>and ${rest.length} more</summary><ul class="lines">${rest.map((item) => html`<li>${lineOf(item)}</li>`)}</ul></details>`
  }`;
}

function notSeen(conformance: Conformance): Html {
  const groups = unseen(conformance);
  const { excluded } = conformance;
  return html`${
    groups.length === 0
      ? html`<p>Nothing in scope: every requirement was tried and gave a verdict.</p>`
      : listed(
          groups,
          MOST.reasons,
          ({ kind, reason, requirements }) =>
            html`<b>${requirements.length} ${kindInWords(kind)}:</b> ${shortened(reason || 'no reason given', LONGEST)} <span class="aside">${visible(some(requirements, 1))}</span>`,
        )
  }${excluded.length > 0 && html`<p class="aside">${count(excluded.length, 'documented statement')} that no outside observer can check ${excluded.length === 1 ? 'is' : 'are'} left out by the catalogue, each with its reason.</p>`}`;
}

function whatChanged(changes: Changes | undefined): Html {
  if (!changes) return html`<p>Nothing was compared: no earlier dossier or run was named.</p>`;
  const { since, inWords, groups } = changes;
  return html`<p>Since ${shortened(since, LONGEST)}: ${shortened(inWords, 2 * LONGEST)}.</p>${
    groups.length > 0 &&
    listed(
      groups,
      MOST.changes,
      (group) =>
        html`<b>${nameOf(group)}:</b> ${shortened(changeInWords(group), LONGEST)} <span class="aside">${visible(some(group.requirements, 1))}</span>`,
    )
  }`;
}

const known = (requirements: readonly RequirementResult[]): Html | false =>
  requirements.length > 0 &&
  html`<h3>${count(requirements.length, 'known failure')}</h3>${listed(requirements, MOST.known, ({ id, known: entry }) => html`<code>${visible(id)}</code>${entry?.expires && html` <b>until ${visible(entry.expires)}</b>`}: ${shortened(entry?.reason ?? '', LONGEST)} ${link(entry?.link)}`)}`;

/** A link if browsers handle its scheme by themselves; otherwise text. */
const link = (address: string | undefined): Html | false =>
  address !== undefined &&
  (/^https?:\/\//i.test(address)
    ? html`<a href="${address}" rel="noreferrer">${shortened(address, LONGEST)}</a>`
    : html`${shortened(address, LONGEST)}`);

const advice = (causes: readonly Cause[]): Html | false =>
  causes.length > 0 &&
  html`<h3>Advice: ${count(causes.length, 'should')} not kept</h3>${listed(causes, MOST.advice, ({ requirements: [first], message }) => html`<code>${visible(first!.id)}</code>: ${shortened(message, LONGEST)}`)}`;

const digestList = ({ files, catalogue, suite }: Digests): Html =>
  html`<h3>What this was made from</h3><dl class="digests">${[...Object.entries(files), ['catalogue', catalogue] as const, ['suite', suite] as const].map(([name, digest]) => html`<div><dt>${name}</dt><dd><code>${digest ?? 'of another version of the suite'}</code></dd></div>`)}</dl><p class="aside">SHA-256. Whoever has the report directory compares these, and judges its exchanges again with the command verify of the suite.</p>`;

const WORDS: readonly (readonly [word: string, meaning: string])[] = [
  ['cause', 'what one repair mends; it breaks requirements, and hides those that could not be judged because of it'],
  ['inconclusive', 'tried, but the answers allowed no conclusion'],
  ['blocked', 'could not be tried, since something before it failed'],
  ['skipped', 'not tried, by choice or for lack of what the reason names'],
  ['not applicable', 'what it presupposes never came about'],
  ['exchange', 'a request and its answer, with an id such as x00042'],
];

const words = (): Html =>
  html`<h3>Words</h3><p class="words">${WORDS.map(([word, meaning], index) => html`<b>${word}</b>: ${meaning}${index < WORDS.length - 1 ? '; ' : '.'}`)}</p>`;

/** Every requirement with its verdict, on screens only. */
const everything = ({ requirements }: Conformance): Html =>
  html`<details class="everything"><summary>All ${requirements.length} requirements and their verdicts</summary><div class="scroll" tabindex="0" role="region" aria-label="All requirements"><table><thead><tr><th scope="col">Requirement</th><th scope="col">Level</th><th scope="col">Verdict</th><th scope="col">Reason</th></tr></thead><tbody>${requirements.map((one) => html`<tr><th scope="row">${one.text} <code class="id">${one.id}</code></th><td>${one.level}</td><td class="${shownOf(one)}">${wordOf(shownOf(one))}</td><td>${shortened(one.reason, LONGEST)}</td></tr>`)}</tbody></table></div></details>
`;
