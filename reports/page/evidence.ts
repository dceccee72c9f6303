/** The evidence of a failed check: the difference, the exchanges in order, and how to repeat them. */
import type { CheckResult, Difference, Exchange, RequirementResult } from '../../contracts/record.ts';
import { curlScript } from '../curl.ts';
import { decidingExchange } from '../deciding.ts';
import type { Reproductions } from '../reproductions.ts';
import { retrialInWords } from '../retrial.ts';
import { saidOf, withSaid } from '../said.ts';
import { cited } from '../steps.ts';
import { capital, count, cut } from '../text.ts';
import type { View } from '../view.ts';
import { body } from './body.ts';
import { differing } from './differing.ts';
import type { Gathered } from './gathered.ts';
import { type Content, type Html, html } from './html.ts';
import { anchor } from './verdicts.ts';

/**
 * Limits on the exchanges of one check shown in full: the first, the last, and those around the deciding one; the
 * others get one line each.
 */
const WHOLE_FIRST = 4;
const WHOLE_LAST = 8;
const WHOLE_NEXT = 3;
/** Limits on the lines of a timeline: at its beginning, at its end, and around the deciding exchange. */
const LINES = 60;
const PART = LINES / 4;
/** Number of checks of one requirement whose evidence is shown. */
const CHECKS = 4;
/** Number of exchanges that the page shows in full; the others get one line each, so that the page opens quickly. */
const WHOLE_IN_PAGE = 800;

/** Renders evidence; an exchange already shown in full is only linked. */
export class Evidence {
  readonly #reproductions: Reproductions;
  readonly #view: View;
  readonly #shown = new Set<string>();

  constructor({ reproductions }: Gathered, view: View) {
    this.#reproductions = reproductions;
    this.#view = view;
  }

  /** The exchanges of a requirement's failed checks, in order. */
  exchangesOf(checks: readonly CheckResult[]): Exchange[] {
    return [...new Set(checks.flatMap(cited))].flatMap((id) => this.#view.evidence.get(id) ?? []);
  }

  /** The evidence of a requirement's checks, as markup. */
  of(requirement: RequirementResult, checks: readonly CheckResult[]): Html {
    const more = checks.slice(CHECKS);
    return html`${checks.slice(0, CHECKS).map((check) => this.#check(requirement, check))}${
      more.length > 0 &&
      html`<p>${count(more.length, 'more check')} of it failed:</p><ul class="plain">${more.map(({ name, message }) => html`<li><b>${name}</b> ${message}</li>`)}</ul>`
    }`;
  }

  #check(requirement: RequirementResult, check: CheckResult): Html {
    const exchanges = this.exchangesOf([check]);
    const difference = check.difference ?? findingOf(exchanges, requirement.id);
    const { evidence } = this.#view;
    const said = saidOf(requirement, check, decidingExchange(requirement, check, evidence), evidence);
    const faults = faultsOf(difference, check);
    return html`<section class="check"><p class="message"><b>${check.name}</b>${check.message && html`: ${withSaid(check.message, said)}`}</p>${
      faults.length > 1 ? byMember(faults) : difference && compared(difference)
    }${further(check)}${exchanges.length > 0 ? this.#exchanges(requirement, check, exchanges) : html`<p class="note">No exchange of it was recorded.</p>`}${this.#reproduction(requirement, check, exchanges)}</section>`;
  }

  /** The exchanges that show a failure, with how it was reproduced; the others are folded. */
  #exchanges(requirement: RequirementResult, check: CheckResult, exchanges: Exchange[]): Html {
    const steps = this.#reproductions.stepsOf(requirement, check);
    const shown = new Set(steps.map(({ id }) => id));
    const others = exchanges.filter(({ id }) => !shown.has(id));
    return html`${check.retrial && html`<p class="note">${capital(retrialInWords(check.retrial))}.</p>`}${this.#timeline(requirement, check, steps)}${
      others.length > 0 &&
      html`<details class="same"><summary>And ${count(others.length, 'other')} that ${others.length === 1 ? 'leads' : 'lead'} there</summary>${this.#timeline(requirement, check, others)}</details>`
    }`;
  }

  #timeline(requirement: RequirementResult, check: CheckResult, exchanges: Exchange[]): Html {
    const start = Date.parse(exchanges[0]!.startedAt);
    const decisive = decidingExchange(requirement, check, this.#view.evidence);
    const at = exchanges.findIndex(({ id }) => id === decisive?.id);
    const isAmong = (index: number, first: number, next: number, last: number) =>
      index < first || index >= exchanges.length - last || (at >= 0 && Math.abs(index - at) <= next);
    const indices = [...exchanges.keys()];
    const shown = exchanges.length > LINES ? indices.filter((index) => isAmong(index, PART, PART, PART)) : indices;
    const items = shown.map((index, n): Content => {
      const left = n > 0 ? index - shown[n - 1]! - 1 : 0;
      const gap = left > 0 && html`<li class="gap">${left} more</li>`;
      const item = this.#exchange(exchanges[index]!, start, {
        whole: isAmong(index, WHOLE_FIRST, WHOLE_NEXT, WHOLE_LAST),
        decisive: index === at,
        requirement: requirement.id,
        pointer: index === at ? check.difference?.pointer : undefined,
      });
      return [gap, item];
    });
    return html`<h4>${count(exchanges.length, 'exchange')}</h4><ol class="timeline">${items}</ol>`;
  }

  #exchange(
    exchange: Exchange,
    start: number,
    {
      whole,
      decisive,
      requirement,
      pointer,
    }: { whole: boolean; decisive: boolean; requirement: string; pointer: string | undefined },
  ): Html {
    const { id, request, response, error, retries = [] } = exchange;
    const line = html`<span class="at">+${((Date.parse(exchange.startedAt) - start) / 1000).toFixed(2)} s</span> <b>${request.method}</b> <span class="path">${pathOf(request.url)}</span> <span class="answer">→ ${
      response
        ? html`<b class="${statusClass(response.status)}">${response.status}</b>`
        : html`<b class="bad">${error?.kind ?? 'no answer'}</b>`
    }</span> <span class="aside">${Math.round(exchange.durationMs)} ms · ${exchange.intent}${retries.length > 0 && ` · after ${count(retries.length, 'retry').replace('retrys', 'retries')}`} · ${id}</span>`;
    if (this.#shown.has(id))
      return html`<li class="${decisive && 'decisive'}">${line} <a href="#${anchor('x', id)}">shown above</a></li>`;
    if (!whole || this.#shown.size >= WHOLE_IN_PAGE) return html`<li class="${decisive && 'decisive'}">${line}</li>`;
    this.#shown.add(id);
    const findings = (exchange.findings ?? []).filter((finding) => finding.requirement === requirement);
    const pointers = [pointer, ...findings.map(({ difference }) => difference?.pointer)].filter(
      (one) => one !== undefined,
    );
    return html`<li class="${decisive && 'decisive'}" id="${anchor('x', id)}"><details${decisive && OPEN}><summary>${line}</summary><div class="exchange"><div><h5>Request</h5><pre>${request.method} ${request.url}\n${headerLines(request.headers)}${
      request.body !== null && html`\n\n${body(request.body, new Set())}`
    }</pre></div><div><h5>Answer</h5><pre>${
      response
        ? html`${response.status}\n${headerLines(response.headers)}\n\n${response.body === null ? '(no body)' : body(response.body, new Set(pointers))}${response.truncated && response.bodyBytes > 0 && `\n… ${response.bodyBytes} bytes in all`}`
        : `${error?.kind ?? 'no answer'}: ${error?.message ?? ''}`
    }</pre></div></div>${findings.map(({ message }) => html`<p class="finding">${message}</p>`)}</details></li>`;
  }

  /** Commands to repeat the exchanges that show it, to undo their changes, and to rerun the checks. */
  #reproduction(requirement: RequirementResult, check: CheckResult, exchanges: Exchange[]): Html {
    const again = copyable(this.#view.rerun([requirement]), 'Run its checks again, in the environment of this run');
    if (exchanges.length === 0) return again;
    const reproduction = this.#reproductions.of(requirement, check);
    const { expected, actual } = check.difference ?? {};
    const shows = expected === undefined ? '' : `expected ${expected}; actual in the run ${actual}`;
    return html`<details class="reproduction"${OPEN}><summary>Send it again with curl</summary>${
      reproduction.note !== '' && html`<p class="note">${reproduction.note}</p>`
    }${copyable(curlScript(reproduction, shows), 'Commands for a POSIX shell')}</details>${again}`;
  }
}

const OPEN = html` open`;

/** Text with a copy button, if scripts run. */
const copyable = (text: string, title: string): Html =>
  html`<div class="copyable"><div class="bar"><span>${title}</span><button type="button" class="copy" hidden>Copy</button></div><pre tabindex="0">${text}</pre></div>`;

function compared({ expected, actual, pointer }: Difference): Html {
  const both = differing(expected, actual);
  return html`<dl class="compared"><div><dt>Expected</dt><dd>${both.expected}</dd></div><div><dt>Actual${pointer && html` at <code>${pointer}</code>`}</dt><dd>${both.actual}</dd></div></dl>`;
}

const findingOf = (exchanges: readonly Exchange[], id: string): Difference | undefined =>
  exchanges
    .flatMap(({ findings = [] }) => findings)
    .find(({ requirement, difference }) => requirement === id && difference)?.difference;

const headerLines = (headers: Record<string, string | string[]>): string =>
  Object.entries(headers)
    .flatMap(([name, values]) => [values].flat().map((value) => `${name}: ${value}`))
    .join('\n');

const statusClass = (status: number) => (status < 300 ? 'good' : status < 500 ? 'fair' : 'bad');

/** The address without scheme and host, which are the same everywhere; the request shows it in full. */
const pathOf = (url: string): string => url.replace(/^\w+:\/\/[^/]*/, '') || '/';

/** What is wrong with a member of a body, and where else. */
type MemberFault = Difference & { seen?: string };

/** What is wrong with the members of the bodies, each once. */
const faultsOf = (difference: Difference | undefined, { further: others = [] }: CheckResult): MemberFault[] => [
  ...(difference?.pointer ? [difference] : []),
  ...others.flatMap((one) =>
    one.difference?.pointer
      ? { ...one.difference, seen: `${count(one.times, 'exchange')}, such as ${one.example}` }
      : [],
  ),
];

const byMember = (faults: readonly MemberFault[]): Html =>
  html`<table class="members"><thead><tr><th scope="col">Member</th><th scope="col">Expected</th><th scope="col">Actual</th></tr></thead><tbody>${faults.map(({ pointer, expected, actual, seen }) => html`<tr><th scope="row"><code>${pointer}</code>${seen && html` <span class="aside">${seen}</span>`}</th><td>${expected}</td><td><mark>${cut(actual, LONGEST_ACTUAL)}</mark></td></tr>`)}</tbody></table>`;

/** What else the same check found that is about no member, each way once. */
function further({ further: others = [] }: CheckResult): Html | false {
  const rest = others.filter(({ difference }) => !difference?.pointer);
  return (
    rest.length > 0 &&
    html`<p class="note">And ${count(rest.length, 'further finding')}:</p><ul class="plain">${rest.map(({ message, difference, times, example }) => html`<li>${message}${difference && html`: <code>${cut(difference.actual, LONGEST_ACTUAL)}</code>`} <span class="aside">${count(times, 'exchange')}, such as ${example}</span></li>`)}</ul>`
  );
}

/** Characters of what a further finding shows. */
const LONGEST_ACTUAL = 120;
