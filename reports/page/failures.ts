/** The failures, one card per cause: the statement, the evidence, the reproduction. */
import type { CheckResult, RequirementResult } from '../../contracts/record.ts';
import type { Cause } from '../causes.ts';
import { courseInWords } from '../history.ts';
import { statementOf } from '../statement.ts';
import { cited } from '../steps.ts';
import { capital, count, cut, some } from '../text.ts';
import { trustedFrom } from '../trusted.ts';
import type { View } from '../view.ts';
import { Evidence } from './evidence.ts';
import type { Gathered } from './gathered.ts';
import { groupOf, WHY } from './groups.ts';
import { type Hint, hintsFor } from './hints.ts';
import { type Html, html } from './html.ts';
import { anchor, badge, type Shown, shownOf } from './verdicts.ts';

/** Number of cards that are open initially. */
const OPEN_CARDS = 3;
/** Number of failures in the list at the top of the page. */
const NAMED = 6;

/** The failures of a run as cards, and as the list at the top that links to them. */
export interface Failures {
  list: Html | false;
  sections: Html;
}

/** The cards, the worst cause first, known failures last. */
export function failures(view: View, gathered: Gathered): Failures {
  const found = view.findings;
  const evidence = new Evidence(gathered, view);
  const known = found.known.map(causeOf);
  const hints = new Map<string, { hint: Hint; count: number }>();
  const card = (cause: Cause, index: number) => {
    const own = hintsFor({
      requirement: cause.requirements[0]!,
      exchanges: evidence.exchangesOf(checksOf(cause, cause.requirements[0]!)),
      clockAhead: gathered.clockAhead,
    });
    for (const hint of own.slice(0, 1)) {
      const before = hints.get(hint.cause)?.count ?? 0;
      hints.set(hint.cause, { hint, count: before + cause.requirements.length });
    }
    return failureCard(cause, evidence, own, index < OPEN_CARDS, view);
  };
  const musts = found.failures.map(card);
  const knownCards = known.map((cause) => card(cause, OPEN_CARDS));
  const advice = found.advice.map((cause) => card(cause, OPEN_CARDS));
  const requirements = found.failures.reduce((sum, cause) => sum + cause.requirements.length, 0);
  return {
    list: musts.length > 0 && failureList(found.failures, view),
    sections: html`<section id="failures" aria-labelledby="failures-title"><h2 id="failures-title">Failures</h2>${
      musts.length === 0
        ? html`<p class="calm">No must requirement failed${known.length > 0 && ' except known failures'}.</p>`
        : html`<p class="lead">${count(requirements, 'must requirement')} failed, from ${count(musts.length, 'cause')}.</p>`
    }${commonCauses([...hints.values()])}${musts}</section>${
      known.length > 0 &&
      html`<section id="known"><h2>Known failures</h2><p class="lead">Listed as known failures, so they do not make the run fail.</p>${knownCards}</section>`
    }${
      found.outdated.length > 0 &&
      html`<section id="outdated"><h2>Known failures to remove from the list</h2><ul class="plain">${found.outdated.map(
        ({ id, known: entry }) =>
          html`<li><a href="#${anchor('r', id)}"><code>${id}</code></a> ${entry?.state === 'stale' ? 'passes now' : `expired on ${entry?.expires ?? ''}`}: ${entry?.reason}</li>`,
      )}</ul></section>`
    }${
      advice.length > 0 &&
      html`<section id="advice"><h2>Advice</h2><p class="lead">${count(advice.length, 'should')} not kept. These never make a run fail.</p>${advice}</section>`
    }`,
  };
}

/** Characters of a finding on top: what follows is with the failure. */
const LONGEST_FINDING = 120;

function failureList(all: readonly Cause[], { changes, comparison }: View): Html | false {
  // Changes since the baseline have already been named.
  const causes = all.filter(({ requirements }) => !requirements.some(({ id }) => changes.has(id)));
  const rest = causes.length - NAMED;
  if (causes.length === 0) return false;
  return html`<p class="broken">${comparison ? 'Broken as before, with what was found:' : 'Broken statements, with what was found:'}</p><ul class="first">${causes.slice(0, NAMED).map(({ message, rests, unseen, requirements: [first, ...others] }) => html`<li><a href="#${anchor('f', first!.id)}">${first!.text}</a>${others.length > 0 && html` <span class="aside">and ${others.length} more</span>`}${unseen.length > 0 && html`<span class="aside">${others.length > 0 && ','} hides ${unseen.length}</span>`}<span class="found">${cut(rests?.message ?? message, LONGEST_FINDING)}</span></li>`)}${
    rest > 0 && html`<li><a href="#failures">and ${count(rest, 'other cause')}</a></li>`
  }</ul>`;
}

/** Causes that several failures seem to share, ahead of the failures themselves. */
function commonCauses(hints: readonly { hint: Hint; count: number }[]): Html | false {
  const common = hints.filter((one) => one.count > 2).toSorted((a, b) => b.count - a.count);
  return (
    common.length > 0 &&
    html`<div class="hint"><h3>Likely common causes</h3><ul>${common.map(({ hint, count: times }) => html`<li><b>${count(times, 'requirement')}:</b> ${hint.cause} ${hint.next}</li>`)}</ul></div>`
  );
}

const causeOf = (requirement: RequirementResult): Cause => {
  const failed = requirement.checks.filter(({ verdict }) => verdict === 'failed');
  return {
    message: failed[0]?.message ?? requirement.reason,
    difference: failed[0]?.difference,
    requirements: [requirement],
    exchanges: failed.flatMap(({ exchanges }) => exchanges),
    further: [],
    deciding: undefined,
    act: undefined,
    said: undefined,
    rests: undefined,
    unseen: [],
  };
};

/** The failed checks of a requirement that show the cause. */
function checksOf(cause: Cause, requirement: RequirementResult): CheckResult[] {
  const failed = requirement.checks.filter(({ verdict }) => verdict === 'failed');
  const ids = new Set(cause.exchanges);
  const showing = failed.filter(
    ({ exchanges, message }) => message === cause.message || exchanges.some((id) => ids.has(id)),
  );
  return showing.length > 0 ? showing : failed;
}

/** How a requirement differs from the baseline. */
const changeMark = ({ id }: RequirementResult, changes: View['changes']): Html | false =>
  changes.has(id) && html` <b class="change">${changes.get(id)}</b>`;

/** The history of a failing requirement. */
const courseOf = ({ id }: RequirementResult, { history }: View): Html | false => {
  const course = history && history.runs.length > 1 ? history.courses.get(id) : undefined;
  return course !== undefined && html`<p class="course">${capital(courseInWords(course))}.</p>`;
};

/** The row of the document, in the project's words. */
const rowOf = ({ id, checks }: RequirementResult): string => {
  const pointer = checks.find(({ verdict }) => verdict === 'failed')?.difference?.pointer;
  const statement = statementOf(id, pointer);
  return statement ? `, ${statement.row}: ${statement.text}` : '';
};

/** The requirements that could not be judged because of a failure. */
const hidden = ({ unseen }: Cause): Html | false =>
  unseen.length > 0 &&
  html`<details class="hides"><summary>Hides ${count(unseen.length, 'requirement')} that could not be judged because of it</summary><ul class="ids">${unseen.map(({ id }) => html`<li><a href="#${anchor('r', id)}">${id}</a></li>`)}</ul></details>`;

/** What is wrong with the body that shows a failure, which is the matter of another requirement. */
const rests = ({ rests: on }: Cause): Html | false =>
  on !== undefined && html`<p class="note">It rests on another failure: <code>${on.id}</code>, ${on.message}.</p>`;

/** What a failure takes on trust from the fixtures file. */
function trusts(cause: Cause, { conformance }: View): Html | false {
  const trusted = trustedFrom(conformance, cause);
  return trusted.length > 0 && html`<p class="note">Trusted from the fixtures: ${some(trusted, MOST_TRUSTED)}.</p>`;
}

/** Number of keys of the fixtures file that are named. */
const MOST_TRUSTED = 6;

/** The ids of all exchanges that show a cause, by which it is found, whether or not the page has them. */
const evidenceIn = ({ requirements }: Cause): string[] => [
  ...new Set(requirements.flatMap((requirement) => failedOf(requirement).flatMap(cited))),
];

const failedOf = ({ checks }: RequirementResult): CheckResult[] => checks.filter(({ verdict }) => verdict === 'failed');

function failureCard(cause: Cause, evidence: Evidence, hints: readonly Hint[], open: boolean, view: View): Html {
  const [first, ...others] = cause.requirements as [RequirementResult, ...RequirementResult[]];
  const shown: Shown = shownOf(first);
  const searched = cause.requirements
    .map(({ id, text }) => `${id} ${text}`)
    .join(' ')
    .toLowerCase();
  return html`<details class="failure ${shown}" id="${anchor('f', first.id)}" data-shown="${shown}" data-level="${first.level}" data-text="${searched}" data-exchanges="${evidenceIn(cause).join(' ')}"${open && html` open`}><summary><h3>${first.text}</h3><span class="facts">${badge(shown)}${changeMark(first, view.changes)} <span class="level">${first.level}</span> <code>${first.id}</code>${others.length > 0 && html` <span class="aside">and ${others.length} more in the same way</span>`}</span></summary><div class="inside"><p class="source"><cite>${first.source.document}</cite>, section “${first.source.section}”${rowOf(first)}. ${WHY[groupOf(first)]} ${BASIS[first.level]}</p>${
    first.known &&
    html`<p class="known-reason"><b>Known:</b> ${first.known.reason} ${knownLink(first.known.link)} ${first.known.expires && `until ${first.known.expires}`}</p>`
  }${courseOf(first, view)}${rests(cause)}${trusts(cause, view)}${evidence.of(first, checksOf(cause, first))}${hidden(cause)}${
    hints.length > 0 &&
    html`<div class="hint"><h4>Likely cause and next step</h4>${hints.map((hint) => html`<p><b>${hint.cause}</b> ${hint.next}</p>`)}</div>`
  }${others.length > 0 && html`<h4>In the same way</h4>${others.map((one) => sameWay(one, cause, evidence))}`}</div></details>`;
}

const sameWay = (requirement: RequirementResult, cause: Cause, evidence: Evidence): Html =>
  html`<details class="same" id="${anchor('f', requirement.id)}"><summary><code>${requirement.id}</code> ${requirement.text}</summary>${evidence.of(requirement, checksOf(cause, requirement))}</details>`;

const BASIS = {
  must: 'A must: its failure makes the target nonconformant.',
  should: 'Stated by a standard that the document relies on, or implied by the document, so its failure is advice.',
};

/** A link if browsers handle its scheme by themselves; otherwise text. */
const knownLink = (link: string | undefined): Html | false =>
  link !== undefined &&
  (/^https?:\/\//i.test(link) ? html`<a href="${link}" rel="noreferrer">${link}</a>` : html`${link}`);

/** The anchor of a failure's card; requirements of one cause share one. */
export const failureLink = (requirement: RequirementResult): Html =>
  html`<a href="#${anchor('f', requirement.id)}">evidence and reproduction</a>`;
