/** Presents the figures as a page for people. */
import type { Results } from './index.ts';
import { type AtLatency, LAG_MS, LATENCY_MS } from './latency.ts';
import type { Traffic, Way } from './traffic.ts';

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const row = (...cells: (string | number)[]): string => `| ${cells.join(' | ')} |`;

/** A figure now, and in the previous measurement. */
interface Compared {
  what: string;
  now: number | undefined;
  before: number | undefined;
  unit: string;
}

/** The figures of speed. */
function compared(now: Results, before: Results): Compared[] {
  const figure = (what: string, unit: string, of: (results: Results) => number | undefined): Compared => ({
    what,
    unit,
    now: of(now),
    before: of(before),
  });
  return [
    figure('full run against the embedded sandbox', 's', ({ fullRun }) => fullRun.wallMs / 1000),
    figure('its start, until the first request', 's', ({ fullRun }) => fullRun.startMs / 1000),
    figure('its CPU', 's', ({ fullRun }) => fullRun.cpuMs / 1000),
    figure('its CPU per request', 'ms', ({ fullRun }) => fullRun.cpuMs / fullRun.requests),
    figure('its requests', '', ({ fullRun }) => fullRun.requests),
    figure('its memory', 'MB', ({ fullRun }) => fullRun.peakMemoryMb),
    figure('run of risk `safe`', 's', ({ safeRun }) => safeRun.wallMs / 1000),
    ...now.atLatency.map(({ concurrency }, index) =>
      figure(
        `times the bound, ${LATENCY_MS} ms, ${concurrency} in flight`,
        '',
        ({ atLatency }) => atLatency[index]?.ratio,
      ),
    ),
    figure(`times the bound, ${LATENCY_MS} ms, effects after ${LAG_MS} ms`, '', ({ lagging }) => lagging?.ratio),
    figure('the whole command, times the bound, second target', '', ({ ofOthers }) => ofOthers?.plain.command?.ratio),
    figure('the same, where it rounds amounts', '', ({ ofOthers }) => ofOthers?.rounding.command?.ratio),
    figure('checked requests per second', '', ({ throughput }) => throughput.perSecond.suite),
    figure('the same, of what undici alone makes', '', ({ throughput }) => throughput.ofPlain),
    figure('faults proved per second, of all', '', ({ allFaultsPerSecond }) => allFaultsPerSecond),
  ];
}

/** Figures beside those of the previous measurement, on the same machine or not. */
function comparison(now: Results, before: Results): string[] {
  const digits = (value: number) => (value < 10 ? 2 : value < 100 ? 1 : 0);
  const shown = (value: number | undefined, unit: string) =>
    value === undefined ? '' : `${value.toFixed(digits(value))}${unit && ` ${unit}`}`;
  return [
    row('', `before (${codeOf(before)})`, `now (${codeOf(now)})`, 'now / before'),
    row('---', '--:', '--:', '--:'),
    ...compared(now, before).map(({ what, now, before, unit }) =>
      row(what, shown(before, unit), shown(now, unit), now && before ? (now / before).toFixed(2) : ''),
    ),
  ];
}

/** The measured state: its last commit, or the day if that was not recorded. */
const codeOf = ({ code, takenAt }: Results): string => code ?? takenAt;

/** The figures in brief. */
function inShort(results: Results): string[] {
  const { fullRun, safeRun, atLatency, ofOthers, throughput, growth } = results;
  const [few, many] = [growth.checks[0]!, growth.checks.at(-1)!];
  const [small, large] = [growth.data[0]!, growth.data.at(-1)!];
  return [
    row('', ''),
    row('---', '---'),
    row(
      'full run against the embedded sandbox, from start to exit',
      `${seconds(fullRun.wallMs)}, ${fullRun.requests} requests, ${fullRun.peakMemoryMb} MB (all processes, the sandbox included); reports are ${seconds(fullRun.reportsMs)} of it`,
    ),
    row('run of risk `safe`', `${seconds(safeRun.wallMs)}, ${safeRun.requests} requests`),
    ...atLatency.map(({ concurrency, wallMs, ratio }) =>
      row(
        `target of ${LATENCY_MS} ms per answer, ${concurrency} requests in flight`,
        `${seconds(wallMs)}, ${ratio} times what the latency allows`,
      ),
    ),
    ...Object.entries(ofOthers ?? {}).map(([kind, { concurrency, command }]) =>
      row(
        `the second target, ${kind}, of ${LATENCY_MS} ms per answer, ${concurrency} requests in flight: the whole command`,
        `${seconds(command.wallMs)}, ${command.ratio} times what the latency allows`,
      ),
    ),
    row(
      'checked requests per second',
      `${throughput.perSecond.suite}: ${throughput.timesNewman} times newman, ${throughput.timesVerifier} times Pact's Verifier, ${throughput.ofPlain} times undici alone, which checks nothing`,
    ),
    row(
      'as work grows',
      `${few.msPerCheck} ms per check at ${few.count} checks, ${many.msPerCheck} at ${many.count}; ${large.requests - small.requests} requests more for ${large.customers} customers and ${large.cards} cards than for ${small.customers}`,
    ),
  ];
}

const latencyRow = (target: string, at: AtLatency) =>
  row(
    target,
    at.concurrency,
    at.requests,
    at.longestChain,
    seconds(at.waitsMs),
    seconds(at.boundMs),
    seconds(at.wallMs),
    at.ratio,
    at.command ? seconds(at.command.wallMs) : '',
    at.command?.ratio ?? '',
    at.ofUndici ?? '',
  );

const machineOf = ({ cpu, cores, memoryGb, system, node }: Results['machine']) =>
  `${cpu}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node}`;

/** Requests that a requirement sends as a rule, at most. */
const COSTLY = 15;

/** What each requirement costs that is run alone. */
function costTable(requestsAlone: NonNullable<Results['requestsAlone']>): string[] {
  const costs = Object.entries(requestsAlone);
  const cheap = costs.filter(([, requests]) => requests <= COSTLY);
  return [
    '## Each requirement alone',
    '',
    `Requests of \`--only ID\`, credentials included, of the ${costs.length} requirements that are written by hand and have checks of their own:`,
    `${cheap.length} send ${COSTLY} or fewer.`,
    '',
    row('requirement', 'requests'),
    row('---', '--:'),
    ...costs.map(([id, requests]) => row(`\`${id}\``, requests)),
    '',
  ];
}

/** What it costs to judge traffic that others make. */
function trafficFigures({ medianMs, perSecond, steady, memory, recording }: Traffic): string[] {
  const ways: [string, Way][] = [
    ['directly', 'direct'],
    ['through undici, which passes on and judges nothing', 'passThrough'],
    ['**through the proxy**', 'proxy'],
  ];
  return [
    '## Traffic that others make',
    '',
    'The same listing of ten cards, asked for in three ways: one request at a time in turn, then 16 at once. Client, target, and what is in between are processes',
    'of their own and share the machine; the proxy judges in a thread of its own, beside what passes.',
    '',
    row('the target is asked', 'median latency', 'added', 'requests/s'),
    row('---', '--:', '--:', '--:'),
    ...ways.map(([what, way]) =>
      row(what, `${medianMs[way]} ms`, `${(medianMs[way] - medianMs.direct).toFixed(2)} ms`, perSecond[way]),
    ),
    '',
    ...(steady
      ? [
          `At ${steady.perSecond} requests per second, which come whether or not those before are answered:`,
          '',
          row('the target is asked', 'median', 'added', '99th percentile', 'added'),
          row('---', '--:', '--:', '--:', '--:'),
          ...ways.map(([what, way]) => {
            const added = (of: Record<Way, number>) => `${(of[way] - of.direct).toFixed(2)} ms`;
            return row(
              what,
              `${steady.medianMs[way]} ms`,
              added(steady.medianMs),
              `${steady.p99Ms[way]} ms`,
              added(steady.p99Ms),
            );
          }),
          '',
        ]
      : []),
    ...(memory ? [`Over ${memory.requests} requests the proxy takes at most ${memory.peakMb} MB.`, ''] : []),
    `A recording of ${recording.mb} MB, of ${recording.exchanges} exchanges, is judged in ${seconds(recording.wallMs)} and ${recording.peakMemoryMb} MB of memory.`,
    '',
  ];
}

export function readme(results: Results, before: Results): string {
  const {
    takenAt,
    machine,
    fullRun,
    safeRun,
    atLatency,
    lagging,
    ofOthers,
    throughput,
    growth,
    requestsAlone = {},
  } = results;
  const { perSecond } = throughput;
  const reports = Math.round((fullRun.reportsMs / fullRun.wallMs) * 100);
  return [
    '# Benchmark',
    '',
    "Written by `npm run bench`, as is `results.json`; don't edit it by hand.",
    '',
    `Taken on ${takenAt}: ${machineOf(machine)}.`,
    '',
    '## In short',
    '',
    ...inShort(results),
    '',
    '## Beside the measurement before',
    '',
    `That was of the code of ${codeOf(before)}, taken on ${before.takenAt}: ${machineOf(before.machine)}.`,
    '',
    ...comparison(results, before),
    '',
    '## A run against the embedded sandbox',
    '',
    'Medians of three. CPU and memory (proportional set size, at its largest) are of all processes, the sandbox included.',
    '',
    row('', 'requests', 'checks', 'wall', 'CPU', 'memory', 'start', 'checks took', 'reports took'),
    row('---', '--:', '--:', '--:', '--:', '--:', '--:', '--:', '--:'),
    ...Object.entries({ 'irreversible (all)': fullRun, safe: safeRun }).map(([name, run]) =>
      row(
        name,
        run.requests,
        run.checks,
        seconds(run.wallMs),
        seconds(run.cpuMs),
        `${run.peakMemoryMb} MB`,
        seconds(run.startMs),
        seconds(run.checksMs),
        seconds(run.reportsMs),
      ),
    ),
    '',
    `Reports are ${reports} % of the full run's wall time.`,
    '',
    `## Against a target of ${LATENCY_MS} ms per answer`,
    '',
    'No run can be faster than its bound: the larger of requests x latency / concurrency, and longest chain x latency. The chain has what must',
    'come one after the other: credentials, the checks of an interface, those that disturb them, those that move the clock; since 2026-11-22',
    'also orders, one by one, and all that logs the user of the portal in and out; since 2026-11-23 what is repeated once the clock was moved. Waiting for a card that another check holds is in no chain, and so counts',
    `against the run. Where effects show after ${LAG_MS} ms and the settle time is the default one, the bound has the waiting of the chain in it. The`,
    'wall time is from the first request to the last answer, that of the command from its start to its exit, reports included. The second target was written from the documents',
    'alone, by somebody who did not know the suite. The median of three runs. The last column is how near undici alone comes to a bound of',
    'that kind with requests that wait for nothing: as many at once, or one by one where the chain is the bound.',
    '',
    row(
      'target',
      'concurrency',
      'requests',
      'longest chain',
      'its waits',
      'bound',
      'wall',
      'wall / bound',
      'command',
      'command / bound',
      'undici alone',
    ),
    row('---', '--:', '--:', '--:', '--:', '--:', '--:', '--:', '--:', '--:', '--:'),
    ...atLatency.map((at) => latencyRow('sandbox', at)),
    ...(lagging ? [latencyRow(`sandbox, effects after ${LAG_MS} ms`, lagging)] : []),
    ...(ofOthers
      ? [
          latencyRow('second target', ofOthers.plain),
          latencyRow('second target, which rounds amounts', ofOthers.rounding),
        ]
      : []),
    '',
    '## Checked requests per second',
    '',
    `Each contender makes the same ${throughput.count} reading requests to the same sandbox, one contender after the other, start-up excluded, and looks at`,
    'status, media type and the shape of the body. The suite judges, redacts and records besides; newman and the Verifier send one request at a time,',
    'the suite and plain undici eight. The medians of three rounds.',
    '',
    row('contender', 'requests/s', 'the suite makes'),
    row('---', '--:', '--:'),
    row('undici alone, nothing checked', perSecond.plain, `${throughput.ofPlain} times as many`),
    row('**the suite**', perSecond.suite, ''),
    row('newman', perSecond.newman, `${throughput.timesNewman} times as many`),
    row("Pact's Verifier", perSecond.verifier, `${throughput.timesVerifier} times as many`),
    '',
    ...(results.traffic ? trafficFigures(results.traffic) : []),
    '## As work grows',
    '',
    row('checks', 'ms per check', 'memory', 'KB per check'),
    row('--:', '--:', '--:', '--:'),
    ...growth.checks.map(({ count, msPerCheck, peakMemoryMb }) =>
      row(count, msPerCheck, `${peakMemoryMb} MB`, Math.round((peakMemoryMb * 1000) / count)),
    ),
    '',
    row('customers', 'cards', 'requests of a full run'),
    row('--:', '--:', '--:'),
    ...growth.data.map(({ customers, cards, requests }) => row(customers, cards, requests)),
    '',
    ...costTable(requestsAlone),
  ].join('\n');
}
