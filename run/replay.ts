/** Repeats the requests that show one failure with fresh credentials, and compares the answers. */
import { randomInt } from 'node:crypto';
import type { Operation } from '../contracts/operation.ts';
import { operation as operationById } from '../contracts/operations.ts';
import type { Exchange } from '../contracts/record.ts';
import { type Label, markerOf, variableOf } from '../contracts/redaction.ts';
import { type Answer, type Input, type Intent, member } from '../helpers/answer.ts';
import type { Authorisation } from '../helpers/call.ts';
import { addressOf, allows } from '../helpers/configuration/scope.ts';
import { configurationSecrets } from '../helpers/configuration/secrets.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { Context, cardsOf } from '../helpers/context.ts';
import type { Run } from '../helpers/run.ts';
import { reach } from '../helpers/runner/reach.ts';
import { Reproductions } from '../reports/reproductions.ts';
import { FRESH, FRESH_DIGITS, type Piece, type Script, type Step } from '../reports/script.ts';
import { percentDecoded } from '../reports/text.ts';
import type { View } from '../reports/view.ts';
import { withRun } from './in-process.ts';

/** A repeated request with its old and new answer. */
export interface Replayed {
  exchange: Exchange;
  before: string;
  now: string;
}

/**
 * The requests to repeat for a failed requirement: those that its reproduction sends.
 * @param exchanges of the run
 * @throws Error when it did not fail, or no exchange of it is recorded
 */
export function requestsOf(view: View, exchanges: Iterable<Exchange>, id: string): Script {
  const reproductions = new Reproductions(view, exchanges);
  const script = reproductions.again(...reproductions.failureOf(id));
  if (script.steps.length === 0) throw new Error(`${id}: no exchange of it is recorded`);
  return script;
}

/**
 * The addresses that requests go to, one for each interface.
 * @throws Error when one was recorded at another address
 */
export function addressesOf({ steps }: Script, { target }: Configuration, mayDiffer: boolean): string[] {
  const addresses = steps.map(({ exchange: { operation: id, request } }) => {
    const address = addressOf(target, operationById(id).interface) ?? '';
    const recorded = placeOf(request.url);
    if (!mayDiffer && !recorded.startsWith(placeOf(address)))
      throw new Error(
        `the failure was recorded at ${recorded}, and ${id} is configured at ${placeOf(address) || 'no address'}: with --elsewhere it is sent there`,
      );
    return placeOf(address);
  });
  return [...new Set(addresses)];
}

/** An address without credentials and query. */
function placeOf(url: string): string {
  const { origin, pathname } = URL.parse(url) ?? { origin: '', pathname: '' };
  return origin + pathname.replace(/\/$/, '');
}

/**
 * Sends the requests one after another, and undoes afterwards what can be undone. Writes a record into the report
 * directory, which holds none.
 * @param env values of what the record does not hold
 * @param signal ends it early
 * @returns the results, of an early end those by then
 * @throws Error when the allowed risk is too low, a value is missing, or the target is out of reach
 */
export async function replay(
  configuration: Configuration,
  { steps, variables }: Script,
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<Replayed[]> {
  for (const { exchange } of steps) {
    const { id, risk } = operationById(exchange.operation);
    if (!allows(configuration.run.risk, risk)) throw new Error(`RUN_RISK: ${id} needs ${risk} (--risk ${risk})`);
  }
  if (steps.length === 0)
    throw new Error('the record holds no request that can be sent: none has a method and an address');
  const values = new Values(configuration, variables, env);
  const { reportDir: recordIn } = configuration.run;
  return withRun(configuration, { rules: [], recordIn, signal }, async (run) => {
    const context = new Context(run, 'replay');
    const results: Replayed[] = [];
    try {
      const { reached, blocked } = await reach(run);
      if (reached.length === 0) throw new Error([...blocked.values()][0]?.reason ?? 'no address is configured');
      const changing = steps.filter(({ exchange }) => operationById(exchange.operation).risk !== 'safe');
      const requests = changing.map((step) => requestOf(step, values));
      await context.watch(requests.flatMap(({ operation, input }) => cardsOf(operation.id, input)));
      for (const step of steps) {
        const { exchange, keeps } = step;
        const { operation, input, authorisation } = requestOf(step, values);
        const intent = exchange.intent as Intent;
        const answer = await context.call(operation.id, input, { intent, authorisation });
        if (keeps) values.given.set(keeps.variable, String(member(answer, keeps.member) ?? ''));
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

/** Variables of the configuration: a record gets none of them but where their operations send them. */
const CONFIGURED =
  /^TARGET_(?:CLIENT_SECRET|PORTAL_LOGIN_ID|PORTAL_PASSWORD|HEADER_\w+|(?:ACCESS_TOKEN|SESSION_ID)(?:_\d+)?)$/;
/** Those of a session or token of this run, where no answer gave it. */
const CREDENTIAL = /^TARGET_(?:ACCESS_TOKEN|SESSION_ID)/;

/** The values of a script's variables. */
class Values {
  /** What answers gave, by variable. */
  readonly given = new Map<string, string>();
  readonly #set: ReadonlyMap<string, string>;
  readonly #secrets: ReadonlyMap<string, string>;

  /** @throws Error that names the variables that nobody has set */
  constructor(configuration: Configuration, variables: Script['variables'], env: NodeJS.ProcessEnv) {
    const fresh = String(randomInt(10 ** FRESH_DIGITS)).padStart(FRESH_DIGITS, '0');
    const asked = variables.filter(({ name }) => !CONFIGURED.test(name));
    const known = asked.map(
      ({ name, byDefault }) => [name, env[name] || (name === FRESH ? fresh : byDefault)] as const,
    );
    const missing = asked.filter(({ name }) => known.some(([one, value]) => one === name && value === undefined));
    if (missing.length > 0)
      throw new Error(`set first:\n${missing.map(({ name, what }) => `  ${name}: ${what}`).join('\n')}`);
    this.#set = new Map(known.map(([name, value]) => [name, value!]));
    this.#secrets = new Map(configurationSecrets(configuration).map(({ label, value }) => [variableOf(label), value]));
  }

  /** The text of pieces; a secret that the operation does not send stays a marker. @param encode for an address */
  text(pieces: readonly Piece[], operation: string, encode = (value: string) => value): string {
    return pieces.map((piece) => ('text' in piece ? piece.text : encode(this.#of(piece.variable, operation)))).join('');
  }

  /** Whether a text holds a credential of this run: no answer gave it. */
  isOwn(pieces: readonly Piece[]): boolean {
    return pieces.some(
      (piece) => 'variable' in piece && CREDENTIAL.test(piece.variable) && !this.given.has(piece.variable),
    );
  }

  #of(variable: string, operation: string): string {
    const isSent = SECRETS_SENT[operation]?.some((label) => variableOf(label) === variable);
    const value =
      this.given.get(variable) ?? this.#set.get(variable) ?? (isSent ? this.#secrets.get(variable) : undefined);
    return value ?? markerOf(variable.replace(/^TARGET_/, '') as Label);
  }
}

/** The input of a recorded request. */
function requestOf(
  { exchange, url, headers, body }: Step,
  values: Values,
): { operation: Operation; input: Input; authorisation: Authorisation } {
  const operation = operationById(exchange.operation);
  const text = (pieces: readonly Piece[]) => values.text(pieces, operation.id);
  const { pathname, searchParams } = new URL(values.text(url, operation.id, encodeURIComponent));
  const { sessionId, ...others } = Object.fromEntries(searchParams);
  const header = (name: string) => headers.find(([one]) => one.toLowerCase() === name)?.[1];
  const query = operation.authorisation === 'session' ? others : Object.fromEntries(searchParams);
  const input: Input = { query };
  const identifier = identifierIn(operation, pathname);
  if (identifier !== undefined) input.path = { identifier };
  const type = header('content-type');
  if (/x-www-form-urlencoded/.test(type ? text(type) : ''))
    input.form = Object.fromEntries(new URLSearchParams(values.text(body ?? [], operation.id, encodeURIComponent)));
  else if (body) Object.assign(input, jsonOrText(text(body)));
  else if (type) input.emptyJson = true;
  if (operation.authorisation === 'bearer') {
    const authorization = header('authorization');
    const isRun = authorization && values.isOwn(authorization) && /^Bearer $/.test(textOf(authorization));
    return { operation, input, authorisation: isRun ? 'run' : { authorization: authorization && text(authorization) } };
  }
  const isRun = operation.authorisation !== 'session' || values.isOwn(url);
  return { operation, input, authorisation: isRun ? 'run' : { sessionId } };
}

/** The text around variables. */
const textOf = (pieces: readonly Piece[]) => pieces.map((piece) => ('text' in piece ? piece.text : '')).join('');

function jsonOrText(text: string): Pick<Input, 'json' | 'text'> {
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return { text };
  }
}

/** The value in the path for `{identifier}`. */
function identifierIn({ path }: Operation, pathname: string): string | undefined {
  if (!path.includes('{identifier}')) return undefined;
  const [before, after] = path.split('{identifier}').map((part) => part.replaceAll('.', '\\.')) as [string, string];
  const found = new RegExp(`${before}([^/]*)${after}$`).exec(pathname)?.[1];
  return found === undefined ? undefined : percentDecoded(found);
}
