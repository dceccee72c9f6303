/** The reproduction of a failure as a file of an API client: a Postman collection, and the `.http` file of editors. */
import { writeFileJson } from '../files/json.ts';
import { writeNamedFile } from '../files/write.ts';
import type { RunRecord } from './record.ts';
import { type Reproduction, reproductionsOf } from './reproductions.ts';
import { FRESH, FRESH_DIGITS, isForm, type Piece, type Step, titleOf, type Variable } from './script.ts';

/**
 * Writes how a failure is reproduced, as a Postman collection (v2.1).
 * @throws RecordError when the exchanges cannot be read; Error when the requirement did not fail
 */
export const writePostman = (record: RunRecord, file: string, failure: string): void =>
  writeNamedFile(file, `${writeFileJson(collectionOf(failure, reproductionOf(record, failure)), 1)}\n`);

/** {@link writePostman}, as a file of requests that the REST Client of VS Code and httpYac send. */
export const writeHttpFile = (record: RunRecord, file: string, failure: string): void =>
  writeNamedFile(file, httpFileOf(failure, reproductionOf(record, failure)));

function reproductionOf(record: RunRecord, failure: string): Reproduction {
  const reproductions = reproductionsOf(record);
  return reproductions.of(...reproductions.failureOf(failure));
}

/** A variable's value: what is fresh is made now, the same for all requests. */
const initial = ({ name, byDefault = '' }: Variable): string =>
  name === FRESH ? String(Date.now()).slice(-FRESH_DIGITS) : byDefault;

/**
 * A text with its variables. What a target sent stays text: clients take two braces for the beginning of a variable.
 * @param braces two braces, in the notation of the text
 */
const filled = (pieces: readonly Piece[], nameIn: (variable: string) => string, braces: string): string =>
  pieces
    .map((piece) => ('text' in piece ? piece.text.replaceAll('{{', braces) : `{{${nameIn(piece.variable)}}}`))
    .join('');

const IN_ADDRESS = '%7B%7B';
const IN_JSON = '{\\u007b';

/** The parts of a request. @param encoded the name of a variable whose value is percent-encoded */
function partsOf(step: Step, encoded: (variable: string) => string) {
  const same = (variable: string) => variable;
  return {
    method: step.exchange.request.method,
    url: filled(step.url, encoded, IN_ADDRESS),
    headers: step.headers
      .map(([name, value]) => [name, filled(value, same, '{ {')] as const)
      .filter(([, value]) => !/[\r\n]/.test(value)),
    body:
      step.body && (isForm(step.exchange) ? filled(step.body, encoded, IN_ADDRESS) : filled(step.body, same, IN_JSON)),
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
          keeps ? [`pm.collectionVariables.set('${keeps.variable}', pm.response.json().${keeps.member});`] : [],
        ),
      ],
      request: {
        method,
        url,
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

function httpFileOf(failure: string, { variables, steps, note }: Reproduction): string {
  const requestOf = (step: Step) => {
    const { method, url, headers, body } = partsOf(step, (variable) => `%${variable}`);
    return [
      `### ${titleOf(step)}`,
      ...(step.keeps ? [`# @name ${step.exchange.id}`] : []),
      `${method} ${url}`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
      // A line of three hashes begins another request, and an angle bracket the name of a file.
      ...(body === undefined ? [] : ['', body.replaceAll(/^(?=###|<)/gm, ' ')]),
    ].join('\n');
  };
  return `${[
    [`# ${failure}`, ...(note ? [`# ${note}`] : [])].join('\n'),
    ...variables.map((one) => `# ${one.what}\n@${one.name} = ${initial(one)}`),
    ...steps.flatMap(({ keeps, exchange: { id } }) =>
      keeps ? [`@${keeps.variable} = {{${id}.response.body.$.${keeps.member}}}`] : [],
    ),
    ...steps.map(requestOf),
  ].join('\n\n')}\n`;
}
