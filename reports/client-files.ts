/** The reproduction of a failure as a file of an API client: a Postman collection, and the `.http` file of editors. Whatever a target sent stays text in it. */
import { operations } from '../contracts/operations.ts';
import type { CheckResult, Difference } from '../contracts/record.ts';
import { writeFileJson } from '../files/json.ts';
import { writeNamedFile } from '../files/write.ts';
import { decidingExchange } from './deciding.ts';
import { httpFileOf } from './http-file.ts';
import type { RunRecord } from './record.ts';
import { type Reproduction, reproductionsOf } from './reproductions.ts';
import { FRESH, FRESH_DIGITS, isForm, type Piece, type Step, titleOf, type Variable } from './script.ts';
import { viewOf } from './view.ts';

/**
 * Writes how a failure is reproduced, as a Postman collection (v2.1); without one, how each cause of failures is, in a folder of its own. A
 * request that shows a failure has a test, which passes once it is repaired.
 * @throws RecordError when the exchanges cannot be read; Error when the requirement did not fail, or nothing did
 */
export function writePostman(record: RunRecord, file: string, failure?: string): void {
  const reproduced = reproducedIn(record, '--postman', failure);
  const collection = failure === undefined ? collectionOfAll(reproduced) : collectionOf(reproduced[0]!);
  writeNamedFile(file, `${writeFileJson(collection, 1)}\n`);
}

/** How a failure is reproduced; without one, how each cause of failures is. @param option that asks for it */
function reproducedIn(record: RunRecord, option: string, failure: string | undefined): Reproduced[] {
  const ids = failure === undefined ? failuresIn(record) : [failure];
  if (ids.length === 0) throw new Error(`${option}: nothing failed in that run`);
  const reproductions = reproductionsOf(record);
  return ids.map((id) => {
    const [requirement, check] = reproductions.failureOf(id);
    const { evidence } = reproductions;
    return {
      id,
      shownBy: decidingExchange(requirement, check, evidence)?.id,
      check,
      ...reproductions.of(requirement, check),
    };
  });
}

/** The first requirement of each cause of failures. */
function failuresIn({ conformance, exchanges }: RunRecord): string[] {
  const { failures, advice } = viewOf(conformance, { exchanges: exchanges() }).findings;
  return [...failures, ...advice].map(({ requirements }) => requirements[0]!.id);
}

/** {@link writePostman}, as a file of requests that the REST Client of VS Code sends: those of each failure one after the other. */
export function writeHttpFile(record: RunRecord, file: string, failure?: string): void {
  const reproduced = reproducedIn(record, '--http', failure);
  const [first] = reproduced as [Reproduced, ...Reproduced[]];
  const of =
    failure === undefined
      ? { title: 'Reproduces all failures', note: '' }
      : { title: `Reproduces ${failure}`, note: first.note };
  const variables = reproduced.flatMap((one) => one.variables);
  const set = variables.map((one) => ({ name: one.name, what: one.what, value: initial(one) }));
  const requests = failure === undefined ? reproduced.flatMap(requestsOfOne) : requestsOf(first);
  const text = httpFileOf({ ...of, variables: [...new Map(set.map((one) => [one.name, one])).values()], requests });
  writeNamedFile(file, text);
}

/** @param nameOf the name of a variable in the file */
const requestsOf = ({ steps }: Reproduced, nameOf: (variable: string) => string = (variable) => variable) =>
  steps.map((step) => ({
    ...partsOf(step, (variable) => `%${nameOf(variable)}`, nameOf),
    title: titleOf(step),
    isForm: isForm(step.exchange),
    keeps: step.keeps && { ...step.keeps, variable: nameOf(step.keeps.variable) },
  }));

/** The requests of one of several failures: what an answer gives is for those of the same failure. */
function requestsOfOne(reproduced: Reproduced, index: number): ReturnType<typeof requestsOf> {
  const kept = new Set(reproduced.steps.map(({ keeps }) => keeps?.variable));
  const nameOf = (variable: string) => (kept.has(variable) ? `${variable}_OF_FAILURE_${index + 1}` : variable);
  return requestsOf(reproduced, nameOf).map((request, place) => ({
    ...request,
    title: `${reproduced.id}: ${request.title}`,
    ...(place === 0 && { note: reproduced.note }),
  }));
}

/** A variable's value: what is fresh is made now, the same for all requests. */
const initial = ({ name, byDefault = '' }: Variable): string =>
  name === FRESH ? String(Date.now()).slice(-FRESH_DIGITS) : byDefault;

/**
 * A text with its variables, as clients of both kinds write them: two braces around the name. A text never holds two, nor ends with one.
 * @param brace an opening brace, in the notation of the text
 */
const filled = (pieces: readonly Piece[], nameIn: (variable: string) => string, brace: string): string =>
  pieces
    .map((piece) => ('text' in piece ? piece.text.replaceAll(/\{(?=\{|$)/g, brace) : `{{${nameIn(piece.variable)}}}`))
    .join('');

const IN_ADDRESS = '%7B';
const IN_JSON = '\\u007b';
const IN_HEADER = '{ ';

/** A request whose parts are texts with variables. */
export interface ClientRequest {
  method: string;
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: string | undefined;
}

/** The parts of a request. @param encoded the name of a variable whose value is percent-encoded @param same of one whose value is not */
function partsOf(
  step: Step,
  encoded: (variable: string) => string,
  same = (variable: string) => variable,
): ClientRequest {
  const isOfForm = isForm(step.exchange);
  return {
    method: step.exchange.request.method,
    url: filled(step.url, encoded, IN_ADDRESS),
    headers: step.headers.map(([name, value]) => [name, filled(value, same, IN_HEADER)] as const),
    body: step.body && filled(step.body, isOfForm ? encoded : same, isOfForm ? IN_ADDRESS : IN_JSON),
  };
}

/** A failure, with what reproduces it. */
interface Reproduced extends Reproduction {
  id: string;
  check: CheckResult;
  /** The exchange that shows it. */
  shownBy: string | undefined;
}

/** The variable that holds scheme and host of an interface, so that a collection can be sent to another target. */
const HOSTS: Record<string, string> = { token: 'TARGET_AUTH_HOST', v3: 'TARGET_BASE_HOST', v1: 'TARGET_PORTAL_HOST' };

/** The variable for the host of a request; undefined for one of no operation. */
const hostOf = ({ exchange }: Step): string | undefined =>
  HOSTS[operations.find(({ id }) => id === exchange.operation)?.interface ?? ''];

const originOf = ({ exchange }: Step): string =>
  /^https?:\/\/[\w.:[\]-]+(?=[/?#]|$)/i.exec(exchange.request.url)?.[0] ?? '';

/** An address with the variable in place of scheme and host. */
const withHost = (step: Step, url: string): string => {
  const [host, origin] = [hostOf(step), originOf(step)];
  return host !== undefined && origin !== '' && url.startsWith(origin) ? `{{${host}}}${url.slice(origin.length)}` : url;
};

const hostVariables = (steps: readonly Step[]) =>
  [...new Map(steps.flatMap((step) => (hostOf(step) ? [[hostOf(step)!, originOf(step)] as const] : [])))].map(
    ([key, value]) => ({ key, value, description: 'scheme and host of the target' }),
  );

/** The lines of a test that passes once a failure is repaired; none where one answer alone does not show that. */
function testOf({ id, check: { difference } }: Reproduced): string[] {
  const holds = difference && (statusesIn(difference.expected) ?? memberIn(difference));
  if (holds === undefined) return [];
  return [
    // A record may come from anybody, and so may its ids.
    `pm.test(${JSON.stringify(`${id} is repaired`)}, () => {`,
    `  pm.expect(pm.response).to.satisfy((response) => ${holds});`,
    '});',
  ];
}

/** What an expectation says of the status of an answer, as an expression. */
function statusesIn(expected: string): string | undefined {
  if (expected === 'success') return 'response.code >= 200 && response.code < 300';
  if (/^a refusal(?: below 500)?$/.test(expected)) return 'response.code >= 400 && response.code < 500';
  const statuses = /^(?:status )?([1-5]\d\d(?:(?:, | or )[1-5]\d\d)*)$/.exec(expected)?.[1]?.match(/\d+/g);
  return statuses ? `[${statuses.join(', ')}].includes(response.code)` : undefined;
}

/** The member of an answer that must not have a value, as an expression: `not Active` at `/status`. */
function memberIn({ expected, pointer = '' }: Difference): string | undefined {
  const [, value] = /^not (\w+)$/.exec(expected) ?? [];
  const [, member] = /^\/(\w+)$/.exec(pointer) ?? [];
  return value && member ? `response.json().${member} !== '${value}'` : undefined;
}

function collectionOf(reproduced: Reproduced) {
  const { id, variables, steps, note } = reproduced;
  return {
    info: infoOf(id, note),
    variable: [...variables.map(variableOf), ...hostVariables(steps)],
    item: itemsOf(reproduced),
  };
}

/** All failures, each in a folder; a variable of several has one value. */
function collectionOfAll(all: readonly Reproduced[]) {
  const variables = all.flatMap(({ variables, steps }) => [...variables.map(variableOf), ...hostVariables(steps)]);
  return {
    info: infoOf('All failures', 'Each folder reproduces one cause of failures.'),
    variable: [...new Map(variables.map((one) => [one.key, one])).values()],
    item: all.map((one) => ({ name: one.id, description: one.note, item: itemsOf(one) })),
  };
}

const infoOf = (name: string, description: string) => ({
  name,
  description,
  schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
});

const variableOf = (one: Variable) => ({ key: one.name, value: initial(one), description: one.what });

function itemsOf(reproduced: Reproduced) {
  const { steps, shownBy } = reproduced;
  const encoded = (variable: string) => `${variable}_ENCODED`;
  const script = (listen: string, exec: string[]) =>
    exec.length > 0 ? [{ listen, script: { type: 'text/javascript', exec } }] : [];
  const itemOf = (step: Step) => {
    const { method, url, headers, body } = partsOf(step, encoded);
    const inAddress = [...new Set([...step.url, ...(isForm(step.exchange) ? (step.body ?? []) : [])].flatMap(namesIn))];
    const { keeps } = step;
    return {
      name: titleOf(step),
      event: [
        ...script(
          'prerequest',
          inAddress.map(
            (name) =>
              `pm.collectionVariables.set('${encoded(name)}', encodeURIComponent(pm.variables.get('${name}')));`,
          ),
        ),
        ...script('test', [
          ...(keeps ? [`pm.collectionVariables.set('${keeps.variable}', pm.response.json()['${keeps.member}']);`] : []),
          ...(step.exchange.id === shownBy ? testOf(reproduced) : []),
        ]),
      ],
      request: {
        method,
        // A colon that begins a part of a path would make that a variable.
        url: withHost(step, url).replaceAll('/:', '/%3A'),
        header: headers.map(([key, value]) => ({ key, value })),
        ...(body === undefined ? {} : { body: { mode: 'raw', raw: body } }),
      },
    };
  };
  return steps.map(itemOf);
}

const namesIn = (piece: Piece): string[] => ('variable' in piece ? [piece.variable] : []);
