/** Synthetic records for the tests of reports: small, of every verdict, with hostile text where a target may put text. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Change, CheckResult, Conformance, Exchange, RequirementResult, Verdict } from '../../contracts/record.ts';
import { compare, earlierOf } from '../../reports/compare.ts';
import type { RunRecord } from '../../reports/record.ts';
import { requirementVerdict, summarise } from '../../reports/verdicts.ts';

/** Text of a target that wants to be markup, a link, a workflow command or a terminal escape. */
export const HOSTILE =
  '<script>alert(1)</script> [x](javascript:alert(1)) ](javascript:alert(2)) ![i](http://evil.example/) ' +
  '<img src=x onerror=alert(3)> ]]> | `tick` **bold** @someone #1\r\n::error file=x::owned\n' +
  '\u001b[31mred\u001b[0m \u001b]8;;http://evil.example\u0007link \u202egnp.exe \u0000 & " \'';

/** The parts that a text does not hold. */
export const lacking = (text: string, parts: readonly string[]) => parts.filter((part) => !text.includes(part));

/** Markdown without its code spans: what GitHub would read as markup. */
export const outsideCode = (markdown: string) => markdown.replace(/(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/g, '');

const DOCUMENT = 'Token, users and cards (v3)';

export function check(verdict: Verdict, over: Partial<CheckResult> = {}): CheckResult {
  const exchanges = ['passed', 'failed', 'inconclusive'].includes(verdict) ? ['x00001'] : [];
  const message = verdict === 'passed' ? '' : `it is ${verdict}`;
  return { name: 'as documented', verdict, message, durationMs: 12, exchanges, ...over };
}

type OfIt = Partial<RequirementResult>;

/** A requirement whose verdict follows from its checks; its operation is the first two parts of its id. */
export function requirement(id: string, checks: CheckResult[], over: OfIt = {}): RequirementResult {
  const verdict = requirementVerdict(checks);
  return {
    id,
    level: 'must',
    text: `The statement behind ${id} holds`,
    inScope: true,
    source: { document: DOCUMENT, section: 'Cards' },
    operations: [id.split('.').slice(0, 2).join('.')],
    verdict,
    reason: checks.find((one) => one.verdict === verdict)?.message ?? '',
    known: null,
    checks,
    ...over,
  };
}

/** A requirement of one check. */
export const judged = (id: string, verdict: Verdict, over?: Partial<CheckResult>, of?: OfIt) =>
  requirement(id, [check(verdict, over)], of);

/** A requirement that fails in so many ways. */
export const failing = (id: string, ...messages: string[]) => requirement(id, messages.map(failure));
const failure = (message: string) => check('failed', { message });

/** Requirements that failed. */
export const manyFailed = (count: number, over?: Partial<CheckResult>) =>
  Array.from({ length: count }, (_, index) => judged(`cards.get.thing-${index}`, 'failed', over));

export const answer = (status: number, body: unknown): NonNullable<Exchange['response']> => {
  const text = body === null || typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': 'application/json' };
  return { status, headers, body: text, bodyBytes: text?.length ?? 0, truncated: false };
};

export function exchange(number: number, over: Partial<Exchange> = {}): Exchange {
  const url = `https://api.example/cards/cards/c-${number}`;
  return {
    id: `x${String(number).padStart(5, '0')}`,
    operation: 'cards.get',
    check: 'cards.get.identifier: as documented',
    intent: 'valid',
    startedAt: new Date(Date.UTC(2025, 0, 1, 3, 0, 0, number)).toISOString(),
    durationMs: 10 + (number % 7),
    request: { method: 'GET', url, headers: { authorization: 'Bearer [token 1]' }, body: null },
    response: answer(200, { identifier: `c-${number}` }),
    ...over,
  };
}

type Over = { run?: Partial<Conformance['run']>; target?: Partial<Conformance['target']> } & Partial<
  Pick<Conformance, 'suite' | 'observations' | 'excluded'>
>;

/** A conformance record of the given requirements; the summary follows from them. */
export function conformance(requirements: RequirementResult[], over: Over = {}): Conformance {
  const run: Conformance['run'] = {
    startedAt: '2025-01-01T03:00:00.000Z',
    finishedAt: '2025-01-01T03:00:04.000Z',
    durationMs: 4000,
    risk: 'safe',
    seed: 42,
    selection: 'all',
    complete: true,
    requests: 3,
    ...over.run,
  };
  const text = 'The authorization code flow gives a token';
  const source = { document: DOCUMENT, section: 'Token' };
  return {
    schemaVersion: 1,
    suite: { name: 'prepaid-card-conformance', version: '0.1.0', catalogueDigest: 'd1' },
    summary: summarise(requirements, run.complete),
    requirements,
    excluded: [{ id: 'token.authorize.flow', text, reason: 'it needs a person', source }],
    observations: [{ id: 'users.list.max-0', operation: 'users.list', subject: 'max=0', value: '400 with errors' }],
    ...over,
    target: { name: 'sample', version: '1.2.3', embedded: false, ...over.target },
    run,
  };
}

/** A record as it is read from a directory. */
export const recordOf = (conformance: Conformance, exchanges: Exchange[] = []): RunRecord => ({
  path: 'some/run',
  conformance,
  exchanges: () => exchanges.values(),
  changes: () => [],
});

export const compareRuns = (before: RunRecord, after: RunRecord) => compare(earlierOf(before), after);

/** Requirements of every verdict, level and known state, the failures full of {@link HOSTILE} text. */
export function everyVerdict(): RequirementResult[] {
  const difference = { expected: 'status 401 or 403', actual: HOSTILE, pointer: '/status' };
  const hostile = check('failed', { message: HOSTILE, exchanges: ['x00002', 'x00003'], difference });
  const known = { reason: `fixed in May ${HOSTILE}`, link: 'https://tracker.example/7', state: 'known' } as const;
  const expired = { reason: 'soon', expires: '2024-12-31', state: 'expired' } as const;
  return [
    judged('token.issue.status', 'passed'),
    requirement('users.list.at-most-50', [check('passed'), check('passed', { name: 'with max=51' })]),
    requirement('cards.suspend.requires-token', [hostile, check('passed', { name: 'another scheme' })]),
    judged('cards.get.identifier', 'failed', { message: 'another card came back' }, { known }),
    judged('cards.get.shape', 'passed', {}, { known: { reason: 'was wrong', state: 'stale' } }),
    judged('cards.list.max-abc', 'failed', {}, { known: expired }),
    requirement('cards.activate.state', [], { reason: 'needs risk irreversible (RUN_RISK)' }),
    requirement('cards.listRelated.at-least-one', [], { reason: 'needs the fixture cards.withRelated' }),
    judged('cards.getBalance.shape', 'inconclusive', { message: 'the answer has no plan balances' }),
    judged('users.get.shape', 'blocked', { message: 'the time was up' }),
    requirement('portal.login.status', [], { inScope: false, reason: 'TARGET_PORTAL_URL is not set' }),
    judged('token.issue.no-store', 'failed', { message: 'Cache-Control is absent' }, { level: 'should' }),
    judged('token.issue.bearer', 'passed', {}, { level: 'should' }),
  ];
}

/** Writes a record as a run does. */
export function writeRecord(dir: string, record: Conformance, exchanges: Exchange[] = [], changes: Change[] = []) {
  mkdirSync(dir, { recursive: true });
  const files = { 'conformance.json': [record], 'exchanges.ndjson': exchanges, 'changes.ndjson': changes };
  for (const [name, lines] of Object.entries(files))
    writeFileSync(join(dir, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return dir;
}
