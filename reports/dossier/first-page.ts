/** The first page of the dossier: the verdict, its scope, the counts, and the causes by weight. */
import { type Conformance, LEVELS } from '../../contracts/record.ts';
import type { Cause } from '../causes.ts';
import {
  COUNTS,
  claimInWords,
  hindrances,
  sandboxInWords,
  seenInWords,
  targetInWords,
  verdictInWords,
} from '../headline.ts';
import { type Content, type Html, html } from '../page/html.ts';
import { capital, count, dateInWords, duration } from '../text.ts';
import { unseenAtRisk } from '../unseen.ts';
import type { View } from '../view.ts';
import type { Changes } from './changes.ts';
import { shortened } from './shortened.ts';

/** Number of causes that the first page names; each has a page of its own. */
const MOST_CAUSES = 14;
/** Characters of a name or a reason. */
const LONGEST = { name: 120, reason: 220, cause: 130, operations: 200 };

/** Verdict and scope. */
export function firstPage(view: View, changes: Changes | undefined): Html {
  const { conformance, findings } = view;
  const { summary } = conformance;
  const sandbox = sandboxInWords(conformance);
  return html`<header class="sheet"><p class="overline">Conformance dossier</p><h1>${shortened(targetInWords(conformance), LONGEST.name)}</h1>
<div class="verdict ${summary.verdict}"><p class="word">${capital(summary.verdict)}${summary.partial && ', partial'}</p><p>${capital(verdictInWords(conformance))}.${sandbox && ` ${sandbox}.`}</p>${hindrances(conformance).map(([name, why]) => html`<p><b>${capital(name)}:</b> ${shortened(why, LONGEST.reason)}</p>`)}</div>
<p class="lead">${about(conformance)}</p>
<h2>Scope</h2>${scope(conformance)}${counts(conformance)}${causeList(findings.failures)}${changes && html`<p class="since"><b>Since ${changes.since}:</b> ${shortened(changes.inWords, LONGEST.reason)}.</p>`}</header>
`;
}

/** What a reader who has never seen the suite has to know. */
function about({ requirements, suite }: Conformance): string {
  const documents = [...new Set(requirements.map(({ source }) => source.document))];
  return `${suite.name} sends requests to a target and holds the answers against ${documents.join(' and ')}, statement by statement. What these documents say is a must: one that is broken makes the target nonconformant. What follows from them or from a standard is a should: advice. Where the evidence is missing nothing is claimed.`;
}

function scope(conformance: Conformance): Html {
  const { run, suite, requirements, excluded } = conformance;
  const isOwn = (run.source ?? 'target') === 'target';
  const inScope = requirements.filter((one) => one.inScope).length;
  const rows: (readonly [string, Content])[] = [
    [
      isOwn ? 'Examined' : 'Judged',
      html`${dateInWords(run.startedAt)}, ${count(run.requests, isOwn ? 'request' : 'exchange')} in ${duration(run.durationMs)}`,
    ],
    [
      'Statements',
      `${inScope} of ${count(requirements.length, 'requirement')} in scope; ${excluded.length} more that no outside observer can check`,
    ],
    ['Operations', shortened(claimInWords(conformance) || 'all that the documents describe', LONGEST.operations)],
    ['Selection', run.selection === 'all' ? 'everything' : shortened(run.selection, LONGEST.operations)],
    isOwn
      ? ['Allowed risk', unseenAtRisk(run) || `${run.risk}: everything that the suite knows to try`]
      : [
          'Source',
          `${run.source === 'proxy' ? 'traffic through a proxy' : 'recorded traffic'}. ${shortened(seenInWords(conformance), LONGEST.operations)}`,
        ],
    [
      'Judged by',
      `${suite.name} ${suite.version}, catalogue ${suite.catalogueDigest}${isOwn ? `, seed ${run.seed}` : ''}`,
    ],
  ];
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function counts({ summary }: Conformance): Html {
  const shown = COUNTS.filter(([key]) => LEVELS.some((level) => summary[level][key] > 0));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Counts"><table class="counts"><thead><tr><th scope="col">Requirements</th>${shown.map(([, name]) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead><tbody>${LEVELS.map((level) => html`<tr><th scope="row">${level}</th>${shown.map(([key]) => html`<td class="number">${summary[level][key]}</td>`)}</tr>`)}</tbody></table></div>`;
}

function causeList(causes: readonly Cause[]): Html {
  if (causes.length === 0) return html`<h2>Causes</h2><p>No must requirement failed, known failures aside.</p>`;
  const rest = causes.length - MOST_CAUSES;
  return html`<h2>${count(causes.length, 'cause')}, by weight</h2><ol class="causes">${causes.slice(0, MOST_CAUSES).map((cause, index) => html`<li><a href="#cause-${index + 1}"><code>${operationIn(cause)}</code> ${shortened(textOf(cause), LONGEST.cause)}</a> <span class="aside">${explains(cause)}</span></li>`)}</ol>${rest > 0 && html`<p class="aside">and ${count(rest, 'more cause')}, each with a page of its own</p>`}`;
}

/** The statement that a cause breaks, without the operation before it. */
const textOf = (cause: Cause): string => cause.requirements[0]!.text.replace(`${operationIn(cause)} `, '');

/** The operation that a cause is about. */
export const operationIn = ({ requirements: [first] }: Cause): string => first!.id.split('.').slice(0, 2).join('.');

/** What a cause explains: `breaks 2, hides 18`. */
export const explains = ({ requirements, unseen }: Cause): string =>
  [`breaks ${requirements.length}`, ...(unseen.length > 0 ? [`hides ${unseen.length}`] : [])].join(', ');
