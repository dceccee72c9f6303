/** Whole runs for the tests of the page: the catalogue's own requirements, with as many failures as a test wants. */
import type {
  CheckResult,
  Conformance,
  Difference,
  Exchange,
  RequirementResult,
  Verdict,
} from '../../../contracts/record.ts';
import { requirements } from '../../../contracts/requirements/index.ts';
import { historyOf, type PastRun } from '../../../reports/history.ts';
import { operationOf } from '../../../reports/page/groups.ts';
import { page } from '../../../reports/page/index.ts';
import { viewOf } from '../../../reports/view.ts';
import { conformance } from '../record-builder.ts';

export interface Run {
  conformance: Conformance;
  exchanges: Exchange[];
  history: PastRun[];
}

const START = Date.UTC(2026, 4, 11, 2, 0, 0);
const BASE = 'https://sandbox.cards.example/api';
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8', date: new Date(START).toUTCString() };

/** Makes exchanges with ids and times that go up. */
export class Recorder {
  readonly exchanges: Exchange[] = [];

  send(operation: string, over: Partial<Exchange> = {}): Exchange {
    const number = this.exchanges.length + 1;
    const made: Exchange = {
      id: `x${String(number).padStart(5, '0')}`,
      operation,
      check: 'run',
      intent: 'valid',
      startedAt: new Date(START + number * 130).toISOString(),
      durationMs: 18 + ((number * 37) % 61) + (number % 41 === 0 ? 900 : 0),
      request: {
        method: 'GET',
        url: `${BASE}/cards/cards/c-1`,
        headers: { accept: 'application/json', authorization: 'Bearer <REDACTED_ACCESS_TOKEN>' },
        body: null,
      },
      response: { status: 200, headers: JSON_TYPE, body: '{"identifier":"c-1"}', bodyBytes: 20, truncated: false },
      ...over,
    };
    this.exchanges.push(made);
    return made;
  }
}

export const answer = (status: number, body: unknown): NonNullable<Exchange['response']> => {
  const text = body === null ? null : typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: JSON_TYPE, body: text, bodyBytes: text?.length ?? 0, truncated: false };
};

export const get = (path: string): Exchange['request'] => ({
  method: 'GET',
  url: `${BASE}${path}`,
  headers: { accept: 'application/json', authorization: 'Bearer <REDACTED_ACCESS_TOKEN>' },
  body: null,
});

export const post = (path: string, body?: unknown, token = true): Exchange['request'] => ({
  method: 'POST',
  url: `${BASE}${path}`,
  headers: {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token ? { authorization: 'Bearer <REDACTED_ACCESS_TOKEN>' } : {}),
  },
  body: body === undefined ? null : JSON.stringify(body),
});

interface Failure {
  message: string;
  difference: Difference;
  exchanges: Exchange[];
  name?: string;
}

/** Three failures as vendors ship them: a limit off by one, an operation that forgets the token, cents that get lost. */
function typicalFailures(recorder: Recorder): Map<string, Failure> {
  const customers = Array.from({ length: 51 }, (_, index) => ({ identifier: `cust-${1000 + index}` }));
  const tooMany = recorder.send('users.list', {
    intent: 'valid but for max=51, one above the limit',
    request: get('/users/customers?max=51'),
    response: answer(200, { continuationToken: 'b2Zmc2V0PTUx', results: customers }),
  });
  const noToken = recorder.send('cards.suspend', {
    intent: 'no Authorization header',
    request: post('/cards/cards/c%2F17/suspend', undefined, false),
    response: answer(200, null),
  });
  const readBack = recorder.send('cards.get', {
    request: get('/cards/cards/c%2F17'),
    response: answer(200, { identifier: 'c/17', status: 'Suspended', balance: 25.1, cardNumberLastFour: '0417' }),
  });
  const before = recorder.send('cards.getBalance', {
    request: get('/cards/cards/c-3/balance'),
    response: answer(200, { balance: 100.1 }),
  });
  const transfer = recorder.send('cards.transfer', {
    request: post('/cards/cards/c-3/transfer', { targetCardIdentifier: 'c-4', amount: 0.29, comment: "it's 10%" }),
    response: answer(200, { identifier: 't-1', amount: 0.29, status: 'Completed', senderIdentifier: 'c-3' }),
  });
  const after = recorder.send('cards.getBalance', {
    request: get('/cards/cards/c-3/balance'),
    response: answer(200, { balance: 99.82 }),
  });
  return new Map([
    [
      'users.list.at-most-50',
      {
        name: 'max=51',
        message: '51 customers came where 50 is the most',
        difference: {
          expected: 'status 400, or at most 50 results',
          actual: 'status 200 with 51 results',
          pointer: '/results',
        },
        exchanges: [tooMany],
      },
    ],
    [
      'cards.suspend.requires-token',
      {
        name: 'no Authorization header',
        message: 'The call without a token was accepted, and the card is suspended',
        difference: { expected: 'status 401 or 403', actual: 'status 200' },
        exchanges: [noToken, readBack],
      },
    ],
    [
      'cards.transfer.moves-amount',
      {
        name: 'an amount with cents',
        message: 'The source lost 0.28 where 0.29 was sent',
        difference: { expected: 'a balance of 99.81', actual: 'a balance of 99.82', pointer: '/balance' },
        exchanges: [before, transfer, after],
      },
    ],
  ]);
}

/** What a run makes before its checks: a token, and cards that change their states. */
function opening(recorder: Recorder): void {
  recorder.send('token.issue', {
    request: {
      method: 'POST',
      url: 'https://login.example/tenant/B2C_1_signupandsignin/oauth2/v2.0/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials&client_id=suite&client_secret=<REDACTED_CLIENT_SECRET>',
    },
    response: answer(200, '{"access_token":"<REDACTED_ACCESS_TOKEN>","expires_in":3600}'),
  });
  const read = (id: string, status: string) =>
    recorder.send('cards.get', {
      request: get(`/cards/cards/${id}`),
      response: answer(200, { identifier: id, status }),
    });
  const change = (id: string, operation: string, path: string) =>
    recorder.send(operation, { request: post(`/cards/cards/${id}/${path}`), response: answer(200, null) });
  for (const id of ['c-1', 'c-2']) {
    read(id, 'Active');
    change(id, 'cards.suspend', 'suspend');
    read(id, 'Suspended');
    change(id, 'cards.unsuspend', 'unsuspend');
    read(id, 'Active');
  }
  read('c-5', 'Unused');
  change('c-5', 'cards.activate', 'activate');
  read('c-5', 'Active');
  change('c-5', 'cards.markLost', 'marklost');
  read('c-5', 'Lost');
  read('c-6', 'Active');
  change('c-6', 'cards.close', 'close');
  read('c-6', 'Closed');
}

const UNSEEN: readonly [RegExp, Verdict, string][] = [
  [/\.foreign/, 'skipped', 'needs the fixture cards.foreign (TARGET_FIXTURES)'],
  [/portal\.getCIPCheck\.outcome/, 'skipped', 'needs the fixture portal.cip.pass (TARGET_FIXTURES)'],
  [/orderCards\.(?!shape|status)/, 'skipped', 'needs risk irreversible (RUN_RISK)'],
  [/default-50-where-more/, 'inconclusive', 'fewer than 51 cards are known to exist'],
  [/requires-live-token/, 'skipped', 'needs TARGET_TEST_CLOCK_URL or RUN_WAIT_FOR_EXPIRY'],
];

/**
 * A run of the whole catalogue with this many failed musts.
 *
 * @param text what the target puts wherever it can put text, for tests of hostile targets
 */
export function synthetic(failures: number, text?: string): Run {
  const recorder = new Recorder();
  opening(recorder);
  const typical = typicalFailures(recorder);
  let left = failures;
  const results = requirements.map((requirement): RequirementResult => {
    const { id, level, text: words, source, operations } = requirement;
    const operation = operationOf({ id, operations: [...operations] });
    const inScope = !operation.startsWith('cardholders.');
    const base = { id, level, text: words, inScope, source, operations: [...operations], known: null };
    const unseen = UNSEEN.find(([pattern]) => pattern.test(id));
    const fails = level === 'must' && inScope && left > 0 && (failures > typical.size || typical.has(id));
    if (fails) {
      left--;
      const failure = typical.get(id) ?? madeUp(recorder, operation, left);
      const check: CheckResult = {
        name: failure.name ?? text ?? 'as documented',
        verdict: 'failed',
        message: text ?? failure.message,
        durationMs: 80,
        exchanges: failure.exchanges.map((exchange) => exchange.id),
        difference: text === undefined ? failure.difference : { expected: text, actual: `${text} too`, pointer: text },
      };
      return { ...base, verdict: 'failed', reason: check.message, checks: [check] };
    }
    if (!inScope) return { ...base, verdict: 'skipped', reason: 'not among TARGET_OPERATIONS', checks: [] };
    if (unseen) return { ...base, verdict: unseen[1], reason: text ?? unseen[2], checks: [] };
    if (id === 'token.issue.no-store') {
      const check: CheckResult = {
        name: 'Cache-Control',
        verdict: 'failed',
        message: text ?? 'Cache-Control is absent',
        durationMs: 1,
        exchanges: ['x00001'],
        difference: { expected: 'no-store', actual: text ?? '' },
      };
      return { ...base, verdict: 'failed', reason: check.message, checks: [check] };
    }
    const seen = recorder.send(operation);
    const check: CheckResult = {
      name: 'as documented',
      verdict: 'passed',
      message: '',
      durationMs: 30,
      exchanges: [seen.id],
    };
    return { ...base, verdict: 'passed', reason: '', checks: [check, { ...check, name: 'once more' }] };
  });
  const record = conformance(results, {
    target: { name: text ?? 'Example Cards Sandbox', version: text ?? '2026.05' },
    run: {
      startedAt: new Date(START).toISOString(),
      requests: recorder.exchanges.length,
      durationMs: 48_300,
      risk: 'reversible',
      operations: ['token', 'users', 'cards', 'portal'],
      notes: [text ?? 'The target answered 429 to 12 requests; they were sent again after Retry-After.'],
      pools: [{ pool: 'cards.disposable', given: 12, spentBefore: 2, used: 4, left: 6 }],
      fixtures: [{ key: 'cards.active', origin: 'fixtures file', detail: text ?? '4 cards' }],
    },
    suite: { name: 'prepaid-card-conformance', version: '0.1.0', catalogueDigest: 'sha256:9f2c1d70a4b8e6531c0d' },
    observations: ['users.list', 'cards.list', 'cards.getStatus'].flatMap((operation) => [
      { id: `${operation}.a`, operation, subject: text ?? 'max=0', value: text ?? '400 with errors' },
      { id: `${operation}.b`, operation, subject: 'undocumented members', value: text ?? 'nickname, tier' },
    ]),
  });
  if (text !== undefined) for (const exchange of recorder.exchanges) poison(exchange, text);
  return { conformance: record, exchanges: recorder.exchanges, history: pastRuns(record) };
}

/** A failure in one of a few ways, so that causes group some of them. */
function madeUp(recorder: Recorder, operation: string, index: number): Failure {
  const exchange = recorder.send(operation, {
    intent: index % 3 === 0 ? 'valid' : 'a required parameter is left out',
    request: get(`/${operation.replace('.', '/')}?sample=${index}`),
    response:
      index % 3 === 0
        ? { ...answer(502, '<html><body><h1>Bad gateway</h1></body></html>'), headers: { 'content-type': 'text/html' } }
        : answer(200, { identifier: `c-${index}`, status: index, results: [] }),
  });
  return {
    message: index % 3 === 0 ? 'HTML came where JSON is documented' : `the answer of ${operation} says ${index % 7}`,
    difference:
      index % 3 === 0
        ? { expected: 'JSON', actual: '<html><body><h1>Bad gateway</h1></body></html>' }
        : { expected: `a refusal with 400 or rule ${index % 11}`, actual: 'status 200', pointer: '/status' },
    exchanges: [exchange],
  };
}

function poison(exchange: Exchange, text: string): void {
  exchange.intent = text;
  exchange.request.url += `?q=${text}`;
  exchange.request.headers['x-sent'] = text;
  exchange.request.body = text;
  if (!exchange.response) return;
  exchange.response.headers = { ...exchange.response.headers, 'x-hostile': [text, text] };
  exchange.response.body =
    exchange.operation === 'cards.get' ? JSON.stringify({ identifier: text, status: text }) : text;
}

/** A row of nights: what fails now failed in the last third of them, and some of it flips. */
const pastRuns = ({ requirements, summary }: Conformance): PastRun[] =>
  Array.from({ length: 40 }, (_, index) => ({
    startedAt: new Date(START - (39 - index) * 86_400_000).toISOString(),
    version: `2026.0${1 + Math.floor(index / 10)}`,
    selection: 'all',
    summary,
    medianMs: 20 + index,
    seen: new Map(
      requirements
        .filter(({ verdict }) => verdict === 'passed' || verdict === 'failed')
        .map(({ id, verdict }, row) => {
          const fails = verdict === 'failed' ? index > 26 || (row % 5 === 0 && index % 4 === 1) : row % 40 === index;
          return [id, fails ? 'failed' : 'passed'] as const;
        }),
    ),
  }));

/** The page of a run, with its exchanges and its history. */
export const pageOf = ({ conformance, exchanges, history }: Run): string =>
  page(viewOf(conformance, { exchanges, history: historyOf(history) }), exchanges);
