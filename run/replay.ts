/** Repeats the recorded requests of one failure with fresh credentials, and compares the answers. */
import type { Operation } from '../contracts/operation.ts';
import { operation as operationById } from '../contracts/operations.ts';
import { EVERY_EXCHANGE, type Exchange } from '../contracts/record.ts';
import { type Label, markerOf } from '../contracts/redaction.ts';
import type { Answer, Input, Intent } from '../helpers/answer.ts';
import type { Authorisation } from '../helpers/call.ts';
import { allows } from '../helpers/configuration/scope.ts';
import { configurationSecrets } from '../helpers/configuration/secrets.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { Context, cardsOf } from '../helpers/context.ts';
import type { Run } from '../helpers/run.ts';
import { reach } from '../helpers/runner/reach.ts';
import { decidingAct, decidingExchange } from '../reports/deciding.ts';
import { percentDecoded } from '../reports/text.ts';
import type { View } from '../reports/view.ts';
import { withRun } from './in-process.ts';

/**
 * Largest number of a check's requests that are all repeated; of more, only the deciding one and the one whose effect
 * it shows.
 */
const MOST = 12;

/** Largest number of requests of a retrial that are repeated. */
const MOST_OF_RETRIAL = 40;

/** A repeated request with its old and new answer. */
export interface Replayed {
  exchange: Exchange;
  before: string;
  now: string;
}

/**
 * The requests to repeat for a failed requirement, in their original order: those that reproduced it in the run, where that was tried again.
 * @throws Error when it did not fail, or no exchange of it is recorded
 */
export function requestsOf({ conformance, evidence }: View, id: string): Exchange[] {
  const requirement = conformance.requirements.find((one) => one.id === id);
  const check = requirement?.checks.find(({ verdict }) => verdict === 'failed');
  if (!requirement || !check) throw new Error(`${id}: did not fail in that run`);
  const deciding = decidingExchange(requirement, check, evidence);
  if (!deciding) throw new Error(`${id}: no exchange of it is recorded`);
  const again = (check.retrial?.exchanges ?? []).flatMap((one) => evidence.get(one) ?? []);
  if (again.length > 0) return again.slice(0, MOST_OF_RETRIAL);
  const all = check.exchanges.flatMap((one) => evidence.get(one) ?? []).sort((a, b) => (a.id < b.id ? -1 : 1));
  if (check.name !== EVERY_EXCHANGE && all.length <= MOST) return all;
  const act = decidingAct(requirement, check, deciding, evidence);
  return act ? [act, deciding] : [deciding];
}

/**
 * Sends the requests one after another, and undoes afterwards what can be undone. Writes a record into the report
 * directory, which holds none.
 * @param signal ends it early
 * @returns the results, of an early end those by then
 * @throws Error when the allowed risk is too low, or the target is out of reach
 */
export async function replay(
  configuration: Configuration,
  exchanges: readonly Exchange[],
  signal?: AbortSignal,
): Promise<Replayed[]> {
  for (const { operation: id } of exchanges) {
    const { risk } = operationById(id);
    if (!allows(configuration.run.risk, risk)) throw new Error(`RUN_RISK: ${id} needs ${risk}`);
  }
  const requests = exchanges.map((exchange) => ({ exchange, ...requestOf(exchange, configuration) }));
  const { reportDir: recordIn } = configuration.run;
  return withRun(configuration, { rules: [], recordIn, signal }, async (run) => {
    const context = new Context(run, 'replay');
    const results: Replayed[] = [];
    try {
      const { reached, blocked } = await reach(run);
      if (reached.length === 0) throw new Error([...blocked.values()][0]?.reason ?? 'no address is configured');
      const changing = requests.filter(({ operation }) => operation.risk !== 'safe');
      await context.watch(changing.flatMap(({ operation, input }) => cardsOf(operation.id, input)));
      for (const { exchange, operation, input, authorisation } of requests) {
        const intent = exchange.intent as Intent;
        const answer = await context.call(operation.id, input, { intent, authorisation });
        results.push({ exchange, before: recorded(exchange), now: described(run, answer) });
      }
    } catch (error) {
      if (!signal?.aborted) throw error;
    } finally {
      await context.end();
    }
    return results;
  });
}

/** The recorded status and redacted body. */
const recorded = ({ response, error }: Exchange): string =>
  response ? `${response.status} ${response.body ?? ''}`.trim() : (error?.kind ?? 'no answer');

const described = (run: Run, { status, bytes, headers }: Answer): string =>
  `${status} ${run.redactor.body(bytes.toString('utf8'), String(headers['content-type'] ?? '')).text}`.trim();

/** The secrets of this environment that an operation sends in its query or form. A record may come from somebody else, so no other request gets them. */
const SECRETS_SENT: Partial<Record<string, readonly Label[]>> = {
  'token.issue': ['CLIENT_SECRET'],
  'portal.login': ['PORTAL_LOGIN_ID', 'PORTAL_PASSWORD'],
};

/** Reconstructs the input of a recorded request. Good credentials are replaced by those of this run. */
function requestOf(
  { id: exchange, operation: id, request }: Exchange,
  configuration: Configuration,
): { operation: Operation; input: Input; authorisation: Authorisation } {
  const operation = operationById(id);
  const secrets = new Map(
    configurationSecrets(configuration)
      .filter(({ label }) => SECRETS_SENT[id]?.includes(label))
      .map(({ label, value }) => [markerOf(label), value]),
  );
  const filled = (text: string) => secrets.get(text) ?? text;
  const url = URL.parse(request.url);
  if (!url) throw new Error(`${exchange}: the record holds no address for it`);
  const query = Object.fromEntries([...url.searchParams].map(([name, value]) => [name, filled(value)]));
  const { sessionId, ...others } = query;
  const authorization = headerOf(request, 'authorization');
  const input: Input = { query: operation.authorisation === 'session' ? others : query };
  const identifier = identifierIn(operation, url.pathname);
  if (identifier !== undefined) input.path = { identifier };
  if (/x-www-form-urlencoded/.test(headerOf(request, 'content-type') ?? ''))
    input.form = Object.fromEntries([...new URLSearchParams(request.body ?? '')].map(([n, v]) => [n, filled(v)]));
  else if (request.body !== null) Object.assign(input, jsonOrText(request.body));
  else if (headerOf(request, 'content-type') !== undefined) input.emptyJson = true;
  return { operation, input, authorisation: authorisationOf(operation, authorization, sessionId) };
}

function jsonOrText(text: string): Pick<Input, 'json' | 'text'> {
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return { text };
  }
}

const headerOf = ({ headers }: Exchange['request'], name: string): string | undefined => {
  const value = Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
  return value === undefined ? undefined : [value].flat().join(', ');
};

/** The value in the path for `{identifier}`. */
function identifierIn({ path }: Operation, pathname: string): string | undefined {
  if (!path.includes('{identifier}')) return undefined;
  const [before, after] = path.split('{identifier}').map((part) => part.replaceAll('.', '\\.')) as [string, string];
  const found = new RegExp(`${before}([^/]*)${after}$`).exec(pathname)?.[1];
  return found === undefined ? undefined : percentDecoded(found);
}

function authorisationOf(
  { authorisation }: Operation,
  authorization: string | undefined,
  sessionId: string | undefined,
): Authorisation {
  if (authorisation === 'bearer')
    return authorization === 'Bearer <REDACTED_ACCESS_TOKEN>'
      ? 'run'
      : { authorization: authorization?.replace(/<\w+>/, 'invented') };
  if (authorisation === 'session')
    return sessionId === '<REDACTED_SESSION_ID>' ? 'run' : { sessionId: sessionId?.replace(/<\w+>/, 'invented') };
  return 'run';
}
