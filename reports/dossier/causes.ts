/** A page of the dossier for each cause: what the document says, what was found, two exchanges at most, how to see it again. */
import type { Exchange, RequirementResult } from '../../contracts/record.ts';
import { bodyThatMatters } from '../body-excerpt.ts';
import { callOf } from '../call-of.ts';
import type { Cause } from '../causes.ts';
import { curlScript } from '../curl.ts';
import { type Html, html } from '../page/html.ts';
import type { Reproductions } from '../reproductions.ts';
import { replayCommand } from '../rerun.ts';
import { retrialInWords } from '../retrial.ts';
import { withSaid } from '../said.ts';
import { statementOf } from '../statement.ts';
import { capital, count, cut, some, visible } from '../text.ts';
import type { View } from '../view.ts';
import { explains, operationIn } from './first-page.ts';
import { DIRECTORY } from './portable.ts';
import { shortened } from './shortened.ts';

/** Characters of what a page quotes: a cause fits on a sheet of A4, whatever a target says. */
const LONGEST = { statement: 200, quote: 360, finding: 400, difference: 180, address: 240, body: 600, further: 140 };
/** Lines of a body. */
const BODY_LINES = 16;
/** Number of requirements that a list names, and of further findings. */
const NAMED = 6;
const FURTHER = 3;
/** Lines and characters up to which commands are printed, beside one exchange; the page of the run has longer ones. */
const MOST_COMMANDS = { lines: 12, characters: 800 };

/** The pages of all causes, by weight. */
export const causePages = (view: View, reproductions: Reproductions): Html =>
  html`${view.findings.failures.map((cause, index) => causePage(cause, index + 1, view, reproductions))}`;

function causePage(cause: Cause, number: number, view: View, reproductions: Reproductions): Html {
  const [first, ...others] = cause.requirements as [RequirementResult, ...RequirementResult[]];
  const { unseen, act, deciding, difference } = cause;
  return html`<section class="sheet cause" id="cause-${number}" aria-labelledby="cause-${number}-title"><p class="overline">Cause ${number} of ${view.findings.failures.length}, <code>${operationIn(cause)}</code>, ${explains(cause)}</p>
<h2 id="cause-${number}-title">${shortened(first.text, LONGEST.statement)}</h2>
${quote(first, difference?.pointer)}${found(cause, first)}
${act && exchangeFigure('What was done', act, undefined)}${deciding ? exchangeFigure('What shows it', deciding, difference?.pointer) : html`<p class="aside">No exchange of it was recorded.</p>`}
${others.length > 0 && html`<p><b>Broken in the same way:</b> ${ids(others)}</p>`}${unseen.length > 0 && html`<p><b>Not judged because of it:</b> ${ids(unseen)}</p>`}
${again(cause, view, reproductions)}</section>
`;
}

const ids = (requirements: readonly RequirementResult[]): Html =>
  html`<span class="ids">${visible(
    some(
      requirements.map(({ id }) => id),
      NAMED,
    ),
  )}</span>`;

/** The statement of the document in the project's own words, and its section. */
function quote({ id, level, source }: RequirementResult, pointer: string | undefined): Html {
  const statement = statementOf(id, pointer);
  const place = statement ?? source;
  return html`<blockquote><p>${statement ? shortened(`${statement.row}: ${statement.text}`, LONGEST.quote) : 'The requirement above.'}</p><footer>${visible(place.document)}, section “${visible(place.section)}”, in the words of this suite. Requirement <code>${visible(id)}</code>, a ${level}.</footer></blockquote>`;
}

/** What was found, with the target's own words, and how often it showed. */
function found({ message, said, difference, further, exchanges }: Cause, { retrial }: RequirementResult): Html {
  const rest = further.length - FURTHER;
  return html`<p class="finding"><b>Found:</b> ${shortened(withSaid(message, said), LONGEST.finding)}.</p>${
    difference &&
    html`<dl class="compared"><div><dt>Expected</dt><dd>${shortened(difference.expected, LONGEST.difference)}</dd></div><div><dt>Actual${difference.pointer && html` at <code>${shortened(difference.pointer, LONGEST.further)}</code>`}</dt><dd>${shortened(difference.actual, LONGEST.difference)}</dd></div></dl>`
  }<p class="aside">${retrial ? `${capital(retrialInWords(retrial))}. ` : ''}${count(exchanges.length, 'exchange')} of the record ${exchanges.length === 1 ? 'is' : 'are'} evidence.</p>${
    further.length > 0 &&
    html`<ul class="further">${further.slice(0, FURTHER).map((other) => html`<li>${shortened(other, LONGEST.further)}</li>`)}${rest > 0 && html`<li>and ${count(rest, 'further finding')}</li>`}</ul>`
  }`;
}

/** A request and its answer, with the part of the body that matters. @param pointer where the answer's body differs */
function exchangeFigure(title: string, exchange: Exchange, pointer: string | undefined): Html {
  const { id, operation, request, response, error } = exchange;
  const answer = response
    ? `${response.status}\n${response.body === null ? '(no body)' : excerpt(bodyThatMatters(response.body, pointer))}`
    : `${error?.kind ?? 'no answer'}: ${shortened(error?.message ?? '', LONGEST.further)}`;
  return html`<figure class="exchange"><figcaption>${title}: ${visible(operation)} <span class="aside">${visible(id)}, ${visible(exchange.startedAt)}</span></figcaption><div><pre>${shortened(`${request.method} ${request.url}`, LONGEST.address)}${request.body !== null && `\n${excerpt(request.body)}`}</pre><pre>${answer}</pre></div></figure>`;
}

/** A body in a few lines: JSON with indents where it is whole. */
function excerpt(body: string): string {
  const lines = indented(body).split('\n');
  const shown = lines.slice(0, BODY_LINES).map(visible);
  return `${cut(shown.join('\n'), LONGEST.body)}${lines.length > BODY_LINES ? '\n…' : ''}`;
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 1);
  } catch {
    return body;
  }
}

/** How to see it again: with the suite, and, where that is short, by hand. */
function again({ requirements: [first], act }: Cause, view: View, reproductions: Reproductions): Html {
  const requirement = first!;
  const { run } = view.conformance;
  const isOwn = (run.source ?? 'target') === 'target';
  const check = requirement.checks.find(({ verdict }) => verdict === 'failed');
  const script = check && reproductions.of(requirement, check);
  const commands = script && script.steps.length > 0 ? curlScript(script) : undefined;
  const isShort =
    commands !== undefined &&
    act === undefined &&
    commands.length <= MOST_COMMANDS.characters &&
    commands.split('\n').length <= MOST_COMMANDS.lines;
  return html`<h3>To see it again</h3><pre class="command">${view.rerun([requirement])}${isOwn && `\n${replayCommand(run, DIRECTORY, requirement.id)}`}</pre><p class="aside">The first command tries it again${isOwn && ', the second sends the recorded requests again'}; ${DIRECTORY} is the report directory that comes with this dossier, and addresses and credentials are those of your environment.${
    commands !== undefined &&
    !isShort &&
    ` All its requests stand as curl commands on the page of the run: ${callOf('report')} ${DIRECTORY} makes it.`
  }</p>${isShort && html`<pre class="command">${commands}</pre>`}`;
}
