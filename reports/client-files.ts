/** The reproduction of a failure as a file of an API client: a Postman collection, and the `.http` file of editors. Whatever a target sent stays text in it. */
import { writeFileJson } from '../files/json.ts';
import { writeNamedFile } from '../files/write.ts';
import { httpFileOf } from './http-file.ts';
import type { RunRecord } from './record.ts';
import { type Reproduction, reproductionsOf } from './reproductions.ts';
import { FRESH, FRESH_DIGITS, isForm, type Piece, type Step, titleOf, type Variable } from './script.ts';

/**
 * Writes how a failure is reproduced, as a Postman collection (v2.1).
 * @throws RecordError when the exchanges cannot be read; Error when the requirement did not fail
 */
export const writePostman = (record: RunRecord, file: string, failure: string): void =>
  writeNamedFile(file, `${writeFileJson(collectionOf(failure, reproductionOf(record, failure)), 1)}\n`);

/** {@link writePostman}, as a file of requests that the REST Client of VS Code sends. */
export const writeHttpFile = (record: RunRecord, file: string, failure: string): void =>
  writeNamedFile(file, httpFile(failure, reproductionOf(record, failure)));

function httpFile(failure: string, { variables, steps, note }: Reproduction): string {
  const requests = steps.map((step) => ({
    ...partsOf(step, (variable) => `%${variable}`),
    title: titleOf(step),
    isForm: isForm(step.exchange),
    keeps: step.keeps,
  }));
  const set = variables.map((one) => ({ name: one.name, what: one.what, value: initial(one) }));
  return httpFileOf({ title: `Reproduces ${failure}`, note, variables: set, requests });
}

function reproductionOf(record: RunRecord, failure: string): Reproduction {
  const reproductions = reproductionsOf(record);
  return reproductions.of(...reproductions.failureOf(failure));
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

/** The parts of a request. @param encoded the name of a variable whose value is percent-encoded */
function partsOf(step: Step, encoded: (variable: string) => string): ClientRequest {
  const same = (variable: string) => variable;
  const isOfForm = isForm(step.exchange);
  return {
    method: step.exchange.request.method,
    url: filled(step.url, encoded, IN_ADDRESS),
    headers: step.headers.map(([name, value]) => [name, filled(value, same, IN_HEADER)] as const),
    body: step.body && filled(step.body, isOfForm ? encoded : same, isOfForm ? IN_ADDRESS : IN_JSON),
  };
}

function collectionOf(failure: string, { variables, steps, note }: Reproduction) {
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
        ...script(
          'test',
          keeps ? [`pm.collectionVariables.set('${keeps.variable}', pm.response.json()['${keeps.member}']);`] : [],
        ),
      ],
      request: {
        method,
        // A colon that begins a part of a path would make that a variable.
        url: url.replaceAll('/:', '/%3A'),
        header: headers.map(([key, value]) => ({ key, value })),
        ...(body === undefined ? {} : { body: { mode: 'raw', raw: body } }),
      },
    };
  };
  return {
    info: {
      name: failure,
      description: note,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: variables.map((one) => ({ key: one.name, value: initial(one), description: one.what })),
    item: steps.map(itemOf),
  };
}

const namesIn = (piece: Piece): string[] => ('variable' in piece ? [piece.variable] : []);
