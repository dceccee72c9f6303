/** The timeline of a target: the result of every requirement that ever failed in each run, over an axis of dates. */
import { type Course, courseInWords, type PastRun, type Seen } from '../history.ts';
import { count, dateInWords } from '../text.ts';
import type { View } from '../view.ts';
import { type Html, html } from './html.ts';
import { anchor } from './verdicts.ts';

/** Number of runs, the latest ones, and of rows that are drawn. */
const RUNS = 90;
const ROWS = 150;

const [CELL, HEIGHT] = [10, 14];

/**
 * A row for each requirement that ever failed: musts before advice, those failing now first. Undefined with fewer than
 * two runs.
 */
export function timeline({ history, conformance, breadth }: View): Html | undefined {
  if (history === undefined || history.runs.length < 2) return undefined;
  const advice = new Set(conformance.requirements.filter(({ level }) => level === 'should').map(({ id }) => id));
  const runs = history.runs.slice(-RUNS);
  const courses = [...history.courses.values()]
    .sort(byNews)
    .sort((a, b) => Number(advice.has(a.id)) - Number(advice.has(b.id)));
  const shown = courses.slice(0, ROWS);
  const range = `${day(runs[0]!)} to ${day(runs.at(-1)!)}`;
  return html`<section id="nights" aria-labelledby="nights-title"><h2 id="nights-title">Nights</h2><p class="lead">${count(runs.length, 'run')}, ${range}. ${
    courses.length === 0
      ? 'No requirement failed in any of them.'
      : html`A row for each requirement that ever failed: <span class="key-cell failed"></span> failed, <span class="key-cell known"></span> failed as known, <span class="key-cell passed"></span> passed, empty where it was not seen.`
  }</p>${
    shown.length > 0 &&
    html`<table class="nights"><thead><tr><th scope="col">Requirement</th><th scope="col">${axis(runs)}</th></tr></thead><tbody>${shown.map((course) => row(course, runs, advice.has(course.id)))}</tbody></table>`
  }${courses.length > ROWS && html`<p>and ${count(courses.length - ROWS, 'more requirement')} that failed once and pass now</p>`}${nightsTable(runs, breadth?.trend)}</section>`;
}

/** What each run counted, how much had been tried by then, and how soon the target answered. */
function nightsTable(runs: readonly PastRun[], trend?: ReadonlyMap<string, number>): Html {
  const rows = runs.toReversed().map(({ startedAt, version, summary, medianMs }) => {
    const { failed, knownFailed, passed, skipped, inconclusive, blocked } = summary.must;
    const share = trend?.get(startedAt);
    const numbers = [failed, knownFailed, skipped + inconclusive + blocked, passed];
    return html`<tr><th scope="row">${dateInWords(startedAt)}</th><td>${version}</td><td>${summary.verdict}</td>${numbers.map((number) => html`<td class="number">${number}</td>`)}<td class="number">${share !== undefined && `${Math.floor(100 * share)} %`}</td><td class="number">${medianMs !== undefined && `${Math.round(medianMs)} ms`}</td></tr>`;
  });
  return html`<details class="row"><summary>Must requirements and latency of ${count(runs.length, 'run')}</summary><div class="scroll" tabindex="0" role="region" aria-label="Counts and latency by run"><table><thead><tr><th scope="col">Started</th><th scope="col">Version</th><th scope="col">Verdict</th>${['Failed', 'Known', 'Not seen', 'Passed', 'Forms tried so far', 'Median answer'].map((name) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div></details>`;
}

/** Failing requirements first, the latest to begin failing on top; then by the latest failure. */
function byNews(a: Course, b: Course): number {
  if ((a.failingSince === undefined) !== (b.failingSince === undefined)) return a.failingSince === undefined ? 1 : -1;
  const [of, than] = [a.failingSince ?? a.lastPassed ?? '', b.failingSince ?? b.lastPassed ?? ''];
  return of < than ? 1 : of > than ? -1 : 0;
}

function row(course: Course, runs: readonly PastRun[], isAdvice: boolean): Html {
  const { id, failingSince, isFlaky } = course;
  const words = courseInWords(course);
  return html`<tr><th scope="row"><a href="#${anchor('r', id)}"><code>${id}</code></a> <span class="aside">${
    failingSince ? `since ${failingSince.slice(0, 10)}` : `passes since ${sinceOf(course, runs)}`
  }</span>${isAdvice && html` <span class="level">should</span>`}${isFlaky && html` <b class="change">flaky</b>`}</th><td><svg class="course" viewBox="0 0 ${runs.length * CELL} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${words}"><title>${words}</title>${(
    ['failed', 'known', 'passed'] as const
  ).map((seen) => cells(id, runs, seen))}</svg></td></tr>`;
}

/** The first run after the last failure. */
function sinceOf({ id }: Course, runs: readonly PastRun[]): string {
  const last = runs.findLastIndex(({ seen }) => seen.get(id) === 'failed' || seen.get(id) === 'known');
  const passing = runs.slice(last + 1).find(({ seen }) => seen.get(id) === 'passed');
  return passing ? day(passing) : 'before';
}

/** One path for all cells of a kind, so that a hundred rows stay light. */
function cells(id: string, runs: readonly PastRun[], kind: Seen): Html | false {
  const tall = kind !== 'passed';
  const [top, height] = tall ? [0, HEIGHT] : [HEIGHT / 2 - 1.5, 3];
  const path = runs
    .flatMap(({ seen }, index) =>
      seen.get(id) === kind ? `M${index * CELL + 0.5} ${top}h${CELL - 1}v${height}h-${CELL - 1}z` : [],
    )
    .join('');
  return path !== '' && html`<path class="${kind}" d="${path}"/>`;
}

/** Number of dates below the columns: on a phone every second one of them. */
const DATES = 7;

/** Some dates, each in the column of its night, the latest always, and a bold tick where the target's version changes. */
function axis(runs: readonly PastRun[]): Html {
  const width = runs.length * CELL;
  const every = Math.ceil(runs.length / DATES);
  const isNamed = (index: number) => (runs.length - 1 - index) % every === 0;
  const isMinor = (index: number) => ((runs.length - 1 - index) / every) % 2 === 1;
  const dates = runs.map(
    (run, index) =>
      html`<span>${isNamed(index) && html`<time class="${isMinor(index) && 'minor'}" datetime="${day(run)}">${day(run).slice(5)}</time>`}</span>`,
  );
  const versions = runs.flatMap(({ version }, index) =>
    index > 0 && version !== runs[index - 1]!.version ? `M${index * CELL} 0V6` : [],
  );
  return html`<span class="dates">${dates}</span><svg class="course axis" viewBox="0 0 ${width} 6" preserveAspectRatio="none" aria-hidden="true"><path class="rule" d="M0 5H${width}${runs.map((_, index) => (isNamed(index) ? `M${index * CELL + CELL / 2} 2V5` : '')).join('')}"/>${versions.length > 0 && html`<path class="version" d="${versions.join('')}"/>`}</svg>${versions.length > 0 && html`<span class="aside">a bold tick: another version of the target</span>`}`;
}

const day = ({ startedAt }: PastRun): string => startedAt.slice(0, 10);
