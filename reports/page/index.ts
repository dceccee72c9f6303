/** The page of a run: one file that needs no network and reads without scripts. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Exchange } from '../../contracts/record.ts';
import { callOf } from '../call-of.ts';
import { targetInWords } from '../headline.ts';
import type { View } from '../view.ts';
import {
  accountSection,
  coverageSection,
  excludedSection,
  notSeenSection,
  observationsSection,
  oddSection,
  rotatedSection,
  testsSection,
} from './appendix.ts';
import { failures } from './failures.ts';
import { gather } from './gathered.ts';
import { html, trusted } from './html.ts';
import { latencyTable } from './latency.ts';
import { matrix, requirementList, tableOf } from './requirements.ts';
import { stateMachine } from './states.ts';
import { timeline } from './timeline.ts';
import { top } from './top.ts';
import { SHOWN } from './verdicts.ts';
import { wordsSection } from './words.ts';

/**
 * The page of a run as a whole HTML document. It loads nothing, and its policy allows only its own script.
 *
 * @param exchanges of the run; iterated once, and only those that failed checks refer to are kept
 */
export function page(view: View, exchanges: Iterable<Exchange>): string {
  const { conformance } = view;
  const gathered = gather(view, exchanges);
  const table = tableOf(conformance.requirements);
  const failed = failures(view, gathered);
  const nights = timeline(view);
  const odd = oddSection(view);
  const account = accountSection(conformance);
  const { style, script } = assets();
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${hash(style)}'; script-src '${hash(script)}'; base-uri 'none'; form-action 'none'"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer"><title>${conformance.summary.verdict}: ${targetInWords(conformance)}</title><style>${trusted(style)}</style></head><body><a class="skip" href="#failures">To the failures</a>${top(view, failed.list)}<nav aria-label="Page"><div class="links"><a href="#matrix">Matrix</a><a href="#failures">Failures</a><a href="#requirements">Requirements</a><a href="#not-seen">Not seen</a><a href="#states">States</a>${odd && html`<a href="#odd">Worth a look</a>`}<a href="#observations">Observations</a><a href="#latency">Latency</a>${account && html`<a href="#account">Account</a>`}${nights && html`<a href="#nights">Nights</a>`}<a href="#words">Words</a></div>${search()}</nav><main><section id="matrix" aria-labelledby="matrix-title"><h2 id="matrix-title">Conformance by operation</h2>${matrix(table)}</section>${failed.sections}${testsSection(view)}${nights}<section id="requirements" aria-labelledby="requirements-title"><h2 id="requirements-title">All requirements</h2>${requirementList(table)}</section>${notSeenSection(conformance)}${coverageSection(conformance)}<section id="states" aria-labelledby="states-title"><h2 id="states-title">Card states as seen</h2>${stateMachine(gathered.states)}</section>${odd}${observationsSection(conformance)}${rotatedSection(view)}<section id="latency" aria-labelledby="latency-title"><h2 id="latency-title">Latency</h2>${latencyTable(gathered.latency)}</section>${account}${excludedSection(conformance)}${wordsSection()}</main><footer><p>Made from conformance.json and exchanges.ndjson in the report directory; <code>${callOf('report')} DIR</code> makes it again.</p></footer><script>${trusted(script)}</script></body></html>
`.toString();
}

/** Search and filter; hidden until the script runs. */
const search = () =>
  html`<form class="search" role="search" hidden><input type="search" id="search" placeholder="Search, also x00042" aria-label="Search requirements, and failures by the id or path of an exchange"><select id="shown" aria-label="Verdict"><option value="">any verdict</option>${SHOWN.map(({ name, word }) => html`<option value="${name}">${word}</option>`)}</select><select id="level" aria-label="Level"><option value="">any level</option><option>must</option><option>should</option></select><output id="found" aria-live="polite"></output></form>`;

let read: { style: string; script: string } | undefined;

/** The style and script beside this file. */
function assets(): { style: string; script: string } {
  const text = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
  read ??= { style: text('../palette.css') + text('page.css'), script: text('page.js') };
  return read;
}

/** A source for the content security policy: the script or style with exactly this text. */
const hash = (text: string) => trusted(`sha256-${createHash('sha256').update(text).digest('base64')}`);
