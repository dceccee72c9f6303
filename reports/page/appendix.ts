/** The sections after the requirements: what was not seen, observations, exclusions, the trend. */
import type { Conformance } from '../../contracts/record.ts';
import { accountLines, readingInWords } from '../account.ts';
import { type Breadth, breadthInWords, thoroughInWords } from '../breadth.ts';
import { oddities } from '../odd.ts';
import { capital, count, some } from '../text.ts';
import { kindInWords, unseen } from '../unseen.ts';
import type { View } from '../view.ts';
import { type Html, html } from './html.ts';
import { withKeys } from './requirements.ts';
import { anchor } from './verdicts.ts';

/** Requirements without a verdict, by what would have to be supplied. */
export function notSeenSection(conformance: Conformance): Html {
  const groups = unseen(conformance);
  return html`<section id="not-seen" aria-labelledby="not-seen-title"><h2 id="not-seen-title">Not seen, and what to supply</h2>${
    groups.length === 0
      ? html`<p class="calm">Nothing: every requirement gave a verdict.</p>`
      : groups.map(
          ({ kind, reason, requirements }) =>
            html`<details class="row"><summary><b class="number">${requirements.length}</b> <span class="badge ${kind === 'out of scope' ? 'out' : kind}">${kindInWords(kind)}</span> <span class="text">${withKeys(reason || 'no reason given')}</span></summary><ul class="ids">${requirements.map((id) => html`<li><a href="#${anchor('r', id)}">${id}</a></li>`)}</ul></details>`,
        )
  }${fixtures(conformance)}</section>`;
}

function fixtures({ run: { fixtures = [] } }: Conformance): Html | false {
  return (
    fixtures.length > 0 &&
    html`<details class="row"><summary>Data of the target that the run used, and its origin <span class="aside">${count(fixtures.length, 'fixture')}</span></summary><div class="scroll" tabindex="0" role="region" aria-label="Fixtures used"><table><thead><tr><th>Key</th><th>From</th><th>What</th></tr></thead><tbody>${fixtures.map(({ key, origin, detail }) => html`<tr><td><code>${key}</code></td><td>${origin}</td><td>${detail}</td></tr>`)}</tbody></table></div></details>`
  );
}

/** What was seen of each operation: an end-to-end test that never asks for something shows nothing about it. */
export function coverageSection({ run: { seen = [] }, requirements }: Conformance): Html | false {
  if (seen.length === 0) return false;
  const judged = (operation: string) => {
    const own = requirements.filter(({ id }) => id.startsWith(`${operation}.`));
    return `${own.filter(({ verdict }) => verdict === 'passed' || verdict === 'failed').length} of ${own.length}`;
  };
  const statusesOf = (statuses: Record<string, number>) =>
    Object.entries(statuses)
      .map(([status, times]) => `${status} × ${times}`)
      .join(', ');
  return html`<section id="coverage" aria-labelledby="coverage-title"><h2 id="coverage-title">What was seen</h2><details class="row"><summary>${count(seen.length, 'operation')} that ${seen.length === 1 ? 'was' : 'were'} called</summary><div class="scroll" tabindex="0" role="region" aria-label="Operations that were called"><table><thead><tr><th scope="col">Operation</th><th scope="col">Requirements judged</th><th scope="col">Statuses</th><th scope="col">Documented members never seen</th></tr></thead><tbody>${seen.map(({ operation, statuses, membersNeverSeen }) => html`<tr><th scope="row"><code>${operation}</code></th><td>${judged(operation)}</td><td>${statusesOf(statuses)}</td><td>${membersNeverSeen.join(', ')}</td></tr>`)}</tbody></table></div></details></section>`;
}

/** What the requests of each test show, where these say which test they are of; `false` if nothing. */
export function testsSection({ tests }: View): Html | false {
  return (
    tests.length > 0 &&
    html`<section id="tests" aria-labelledby="tests-title"><h2 id="tests-title">Findings by test</h2><p class="lead">By the headers <code>Conformance-Test</code> and <code>traceparent</code> of the requests that show them.</p>${tests.map(({ test, findings }) => html`<details class="row"><summary>${test} <span class="aside">${count(findings.length, 'requirement')}</span></summary><dl class="observed">${findings.map(({ requirement, message, exchanges }) => html`<div><dt><a href="#${anchor('r', requirement)}">${requirement}</a></dt><dd>${message} <span class="aside">${some(exchanges, 4)}</span></dd></div>`)}</dl></details>`)}</section>`
  );
}

/** What the run did to the target: money, orders, checks, and the cards before and after; `false` if it keeps no account. */
export function accountSection(conformance: Conformance): Html | false {
  const lines = accountLines(conformance);
  const cards = conformance.run.account?.cards ?? [];
  return (
    lines !== undefined &&
    html`<section id="account" aria-labelledby="account-title"><h2 id="account-title">Account</h2><dl class="observed">${lines.map(([about, text]) => html`<div><dt>${about}</dt><dd>${text}</dd></div>`)}</dl>${
      cards.length > 0 &&
      html`<details class="row"><summary>${count(cards.length, 'card')} that the run changed, or that changed meanwhile</summary><div class="scroll" tabindex="0" role="region" aria-label="Cards before and after"><table><thead><tr><th scope="col">Card</th><th scope="col">Pool</th><th scope="col">Before</th><th scope="col">Now</th></tr></thead><tbody>${cards.map(({ identifier, pool, before, after }) => html`<tr><th scope="row"><code>${identifier}</code></th><td>${pool ?? 'none'}</td><td>${readingInWords(before)}</td><td>${readingInWords(after)}</td></tr>`)}</tbody></table></div></details>`
    }</section>`
  );
}

/** What is odd among what was observed, with what the documents leave open; `false` if nothing is. */
export function oddSection({ conformance, history }: View): Html | false {
  const found = oddities(conformance, history);
  return (
    found.length > 0 &&
    html`<section id="odd" aria-labelledby="odd-title"><h2 id="odd-title">Worth a look</h2><p class="lead">Noticed, and judged by nobody, since the documents leave it open.</p><dl class="observed">${found.map(({ operation, noticed, open, nights = [] }) => html`<div><dt><code>${operation}</code> ${noticed}</dt><dd>Open: ${open}.${nights.length > 0 && html`<ul class="plain">${nights.map((night) => html`<li>${night}</li>`)}</ul>`}</dd></div>`)}</dl></section>`
  );
}

/** Observations, by operation. */
export function observationsSection({ observations }: Conformance): Html {
  const byOperation = Map.groupBy(observations, ({ operation }) => operation);
  return html`<section id="observations" aria-labelledby="observations-title"><h2 id="observations-title">Observations</h2><p class="lead">How the target behaves where the documents are silent. Observations never fail a run.</p>${[
    ...byOperation,
  ].map(
    ([operation, own]) =>
      html`<details class="row"><summary><code>${operation}</code> <span class="aside">${count(own.length, 'observation')}</span></summary><dl class="observed">${own.map(({ subject, value }) => html`<div><dt>${subject}</dt><dd>${value}</dd></div>`)}</dl></details>`,
  )}</section>`;
}

/** The forms that rotate: how many were tried by operation, which ones by this run, and those that were due and could not be. */
export function rotatedSection({ conformance: { run }, breadth }: View): Html | false {
  const { rotated = [] } = run;
  if (rotated.length === 0) return false;
  const more = breadth ? thoroughInWords(breadth) : '';
  return html`<section id="rotated" aria-labelledby="rotated-title"><h2 id="rotated-title">Forms that were tried</h2><p class="lead">Some forms of a request rotate: each run tries others. ${breadth && html`${capital(breadthInWords(breadth))}.`} ${more && html`${more}.`}</p>${breadth && breadthTable(breadth)}${breadth?.pairs && pairsTable(breadth.pairs.tables)}<details class="row"><summary>${count(rotated.length, 'subject')} that ${rotated.length === 1 ? 'rotates' : 'rotate'}</summary><dl class="observed">${rotated.map(({ subject, tried, forms, left = [] }) => html`<div><dt>${subject}</dt><dd>${tried.join('; ')} <span class="aside">${tried.length} of ${forms}${left.length > 0 && html`; due, but not tried: ${left.join('; ')}`}</span></dd></div>`)}</dl></details></section>`;
}

/** The forms of each operation. */
function breadthTable({ operations, nights }: Breadth): Html {
  const columns = ['Forms', 'Tried now', ...(nights > 1 ? [`In ${count(nights, 'night')}`] : []), 'Nights left'];
  return html`<details class="row"><summary>Forms of ${count(operations.length, 'operation')}</summary><div class="scroll" tabindex="0" role="region" aria-label="Forms tried by operation"><table class="counted"><thead><tr><th scope="col">Operation</th>${columns.map((name) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead><tbody>${operations.map(
    ({ operation, forms, now, soFar, nightsLeft }) =>
      html`<tr><th scope="row"><code>${operation}</code></th>${[forms, now, ...(nights > 1 ? [soFar] : []), nightsLeft].map((number) => html`<td class="number">${number}</td>`)}</tr>`,
  )}</tbody></table></div></details>`;
}

/** The pairs of factors of each table. */
function pairsTable(tables: NonNullable<Breadth['pairs']>['tables']): Html {
  const columns = ['Pairs', 'Tried now', 'So far', 'Nights left'];
  return html`<details class="row"><summary>Pairs of factors of ${count(tables.length, 'table')}</summary><div class="scroll" tabindex="0" role="region" aria-label="Pairs of factors that were tried"><table class="counted"><thead><tr><th scope="col">What</th>${columns.map((name) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead><tbody>${tables.map(
    ({ subject, of, now, soFar, nightsLeft }) =>
      html`<tr><th scope="row">${subject}</th>${[of, now, soFar, nightsLeft].map((number) => html`<td class="number">${number}</td>`)}</tr>`,
  )}</tbody></table></div></details>`;
}

/** Statements that cannot be checked from outside, with the reason; `false` if there are none. */
export function excludedSection({ excluded }: Conformance): Html | false {
  return (
    excluded.length > 0 &&
    html`<section id="excluded" aria-labelledby="excluded-title"><h2 id="excluded-title">Excluded</h2><details class="row"><summary>${count(excluded.length, 'documented statement')} that no outside observer can check</summary><ul class="plain">${excluded.map(({ id, text, reason, source }) => html`<li><code>${id}</code> ${text}. <span class="aside">${reason} “${source.section}”</span></li>`)}</ul></details></section>`
  );
}
