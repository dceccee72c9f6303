/** The top of the page: target, verdict, counts, what was not seen, the facts of the run. */
import { type Conformance, LEVELS } from '../../contracts/record.ts';
import { breadthInWords } from '../breadth.ts';
import { cardsLeftInWords, wearInWords } from '../cards-left.ts';
import { beforeInWords, changeGroups, changeInWords, deltaInWords, deltaOf, nameOf, placeOf } from '../delta.ts';
import { foldedNotes } from '../first-screen.ts';
import { COUNTS, claimInWords, hindrances, seenInWords, targetInWords, verdictInWords } from '../headline.ts';
import { isSelected } from '../selection.ts';
import { capital, count, cut, dateInWords, duration } from '../text.ts';
import { kindInWords, unseen, unseenAtRisk } from '../unseen.ts';
import { countsOfSelection } from '../verdicts.ts';
import type { View } from '../view.ts';
import { type Html, html } from './html.ts';
import { withKeys } from './requirements.ts';

/** Maximum length of names and reasons, so that no target pushes the verdict off the screen. */
const LONGEST = 200;

const VERDICTS = {
  conformant: { sign: '✓', word: 'Conformant' },
  nonconformant: { sign: '✕', word: 'Nonconformant' },
  incomplete: { sign: '?', word: 'Incomplete' },
};

/** The header. @param failureList shown below the verdict; `false` if nothing failed */
export function top(view: View, failureList: Html | false): Html {
  const { conformance } = view;
  const { summary, target } = conformance;
  const { sign, word } = VERDICTS[summary.verdict];
  return html`<header class="top"><p class="overline">Conformance of a prepaid-card interface${target.embedded && ', the embedded sandbox'}</p><h1>${cut(targetInWords(conformance), LONGEST)}</h1><div class="verdict ${summary.verdict}"><p class="word"><span class="sign" aria-hidden="true">${sign}</span> ${word}${summary.partial && html` <span class="partial">partial</span>`}</p><p>${capital(verdictInWords(conformance))}.</p>${hindrances(conformance).map(([name, why]) => html`<p><b>${capital(name)}:</b> ${withKeys(cut(why, LONGEST))}</p>`)}${change(view)}${failureList}</div><div class="columns">${counts(conformance)}${notSeen(view)}</div>${facts(view)}</header>`;
}

/** Number of changes that the top names. */
const CHANGED = 12;

/** The changes since the baseline, ahead of everything else. */
function change(view: View): Html | false {
  if (!view.comparison) return false;
  const delta = deltaOf(view.comparison, view.history);
  const groups = changeGroups(view);
  const items = groups.slice(0, CHANGED).map((group) => {
    const { length } = group.requirements;
    return html`<li><b class="change">${nameOf(group)}</b> <a href="#${placeOf(group)}">${cut(changeInWords(group), LONGEST)}</a>${length > 1 && html` <span class="aside">${length} requirements</span>`}</li>`;
  });
  return html`<div class="delta"><p><b>Since ${beforeInWords(delta)}:</b> ${deltaInWords(delta)}</p><ul>${items}${groups.length > CHANGED && html`<li>and ${count(groups.length - CHANGED, 'more change')}</li>`}</ul></div>`;
}

const CLASSES: Record<(typeof COUNTS)[number][0], string> = {
  passed: 'passed',
  failed: 'failed',
  knownFailed: 'known',
  skipped: 'skipped',
  inconclusive: 'inconclusive',
  blocked: 'blocked',
  notApplicable: 'notApplicable',
  outOfScope: 'out',
};

function counts(conformance: Conformance): Html {
  const counted = countsOfSelection(conformance);
  const rows = COUNTS.map(
    ([key, name]) =>
      html`<tr class="${counted.must[key] + counted.should[key] === 0 && 'none'}"><th scope="row"><i class="swatch ${CLASSES[key]}"></i>${name}</th>${LEVELS.map((level) => html`<td class="number">${counted[level][key]}</td>`)}</tr>`,
  );
  return html`<section aria-labelledby="counts"><h2 id="counts">Counts</h2>${bar(counted.must)}<table class="counts"><thead><tr><th scope="col">Requirements</th><th scope="col" class="number">must</th><th scope="col" class="number">should</th></tr></thead><tbody>${rows}</tbody></table></section>`;
}

/** The shares of the must requirements as a drawing; the table below gives the numbers. */
function bar(counted: Conformance['summary']['must']): Html {
  const total = COUNTS.reduce((sum, [key]) => sum + counted[key], 0) || 1;
  let x = 0;
  const parts = COUNTS.map(([key]) => {
    const width = (counted[key] / total) * 1000;
    x += width;
    return (
      width > 0 &&
      html`<rect class="${CLASSES[key]}" x="${(x - width).toFixed(1)}" y="0" width="${width.toFixed(1)}" height="10"/>`
    );
  });
  return html`<svg class="share" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}

/** Number of reasons named at the top; the section of what was not seen has them all. */
const REASONS = 5;

function notSeen({ conformance, findings: { failures } }: View): Html {
  const { run, excluded } = conformance;
  const hidden = new Set(failures.flatMap(({ unseen: requirements }) => requirements.map(({ id }) => id)));
  const others = conformance.requirements.filter((one) => isSelected(one) && !hidden.has(one.id));
  const groups = unseen({ requirements: others });
  const claim = claimInWords(conformance);
  const seen = seenInWords(conformance);
  const risk = unseenAtRisk(run);
  const lines = [
    claim && html`<li>${withKeys(claim)}</li>`,
    seen && html`<li>${seen}</li>`,
    run.selection !== 'all' && html`<li><b>Selected:</b> ${run.selection}</li>`,
    risk && html`<li>${withKeys(risk)}</li>`,
    hidden.size > 0 && html`<li><b>${hidden.size} hidden</b> by <a href="#failures">the failures</a></li>`,
    groups
      .slice(0, REASONS)
      .map(
        ({ kind, reason, requirements }) =>
          html`<li><b>${requirements.length} ${kindInWords(kind)}:</b> ${withKeys(cut(reason, LONGEST) || 'no reason given')}</li>`,
      ),
    groups.length > REASONS &&
      html`<li><a href="#not-seen">and ${count(groups.length - REASONS, 'more reason')}</a></li>`,
    excluded.length > 0 &&
      html`<li><a href="#excluded">${count(excluded.length, 'documented statement')}</a> that no outside observer can check</li>`,
  ];
  return html`<section aria-labelledby="unseen-title"><h2 id="unseen-title">Not seen, and why</h2>${
    groups.length + hidden.size === 0 &&
    run.complete &&
    html`<p class="calm">Every requirement in the catalogue was tried and gave a verdict.</p>`
  }<ul class="unseen">${lines}</ul></section>`;
}

function facts({ conformance, breadth }: View): Html {
  const { run, suite } = conformance;
  const left = cardsLeftInWords(conformance);
  const wear = wearInWords(conformance);
  const isOwn = (run.source ?? 'target') === 'target';
  const pairs: [string, string | Html][] = [
    ['Started', html`<time datetime="${run.startedAt}">${dateInWords(run.startedAt)}</time>`],
    ['Took', duration(run.durationMs)],
    [isOwn ? 'Requests' : 'Exchanges', String(run.requests)],
    ...(isOwn ? [['Risk', run.risk] as [string, string]] : [['Source', run.source!] as [string, string]]),
    ['Selection', run.selection],
    ...(isOwn ? [['Seed', String(run.seed)] as [string, string]] : []),
    ['Suite', `${suite.name} ${suite.version}`],
    ['Catalogue', html`<code>${suite.catalogueDigest}</code>`],
    ...(left ? [['Cards left', left] as [string, string]] : []),
    ...(breadth ? [['Forms', html`<a href="#rotated">${breadthInWords(breadth)}</a>`] as [string, Html]] : []),
  ];
  return html`<dl class="facts">${pairs.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>${wear.map((sentence) => html`<p class="note">${withKeys(sentence)}</p>`)}${foldedNotes(conformance).map((note) => html`<p class="note">Note: ${note}</p>`)}`;
}
