/**
 * Writes `.http` files, which the REST Client of VS Code, the clients of JetBrains and httpYac read. What is given may come from anybody: each place
 * of the format has a function that keeps the text on its line, free of variables and scripts.
 */
import { escapedJson } from '../files/json.ts';
import { visible } from './text.ts';

/** A request of such a file. Its parts may hold variables, as `{{NAME}}`. */
interface HttpRequest {
  title: string;
  /** What there is to know before it is sent. */
  note?: string;
  method: string;
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: string | undefined;
  isForm: boolean;
  /** The variable that takes a member of the answer. */
  keeps: { variable: string; member: string } | undefined;
}

/** What such a file holds. Names of variables, and of members that are kept, consist of letters, digits and underscores. */
interface HttpFile {
  title: string;
  note: string;
  variables: readonly { name: string; what: string; value: string }[];
  requests: readonly HttpRequest[];
}

/** The text of a file. */
export function httpFileOf({ title, note, variables, requests }: HttpFile): string {
  const kept = requests.flatMap(({ keeps }, index) =>
    keeps ? [`@${keeps.variable} = {{${nameOf(index)}.response.body.$.${keeps.member}}}`] : [],
  );
  return `${[
    [comment(title), ...(note ? [comment(`Note: ${note}`)] : [])].join('\n'),
    ...variables.map(({ name, what, value }) => `${comment(`To set: ${what}`)}\n@${name} = ${onOneLine(value)}`),
    ...kept,
    ...requests.map(textOf),
  ].join('\n\n')}\n`;
}

/** The name of a request, by which others take something of its answer. */
const nameOf = (index: number): string => `request${index + 1}`;

function textOf(request: HttpRequest, index: number): string {
  const { title, note, method, url, headers, keeps } = request;
  const lines = [
    `### Request ${index + 1}: ${withoutVariables(title)}`,
    ...(note ? [comment(`Note: ${note}`)] : []),
    ...(keeps ? [`# @name ${nameOf(index)}`] : []),
    `${method} ${url.replaceAll(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text.toWellFormed()))}`,
    ...headers.filter(([name]) => /^[A-Za-z\d]/.test(name)).map(([name, value]) => `${name}: ${onOneLine(value)}`),
  ];
  return [...lines, ...bodyOf(request)].join('\n');
}

/** A line that clients pass over. It begins with words, since an at sign would make it an instruction. */
const comment = (words: string): string => `# ${withoutVariables(words)}`;

const withoutVariables = (text: string): string => visible(text).replaceAll(/\{(?=\{)/g, '{ ');

const onOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');

/** Beginnings of a line that is none of a body: a file, a script, a check, a comment, an answer, another request. */
const INSTRUCTION = /^\s*(?:[<>?#=!@&/~-]|HTTP\/|[A-Z]{3,}\s)/;

/** The lines of a body: one, since a later one might be an instruction. */
function bodyOf({ body, isForm }: HttpRequest): string[] {
  if (body === undefined) return [];
  const line = isForm
    ? body.replaceAll(/[\p{Cc}\u2028\u2029]/gu, encodeURIComponent)
    : escapedJson(body.replaceAll(/\p{Cc}+/gu, ' '));
  if (INSTRUCTION.test(line)) return ['# Its body is left out: this format would take it for an instruction.'];
  return ['', line];
}
