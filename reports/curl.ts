/**
 * Commands for a POSIX shell that send requests again, ready to paste.
 *
 * The shell treats everything that a target sent as text: it is in single quotes. The commands run in a subshell, so that the reader's own shell
 * is unchanged.
 */
import {
  FRESH,
  FRESH_DIGITS,
  headerOf,
  isForm,
  type Piece,
  type Script,
  type Step,
  titleOf,
  type Variable,
} from './script.ts';
import { quote } from './shell.ts';

/**
 * The commands of a script: what has to be set is asked for by name, and each answer is shown.
 *
 * @param shows what the last answer shows, in words
 */
export function curlScript({ variables, steps }: Script, shows = ''): string {
  const isEncoding = steps.some(({ url }) => url.some((piece) => 'variable' in piece));
  const lines = [
    [...(isEncoding ? [ENCODING] : []), ...settings(variables)].join('\n'),
    ...steps.map((step) => `${heading(step)}\n${step.keeps ? keeping(step, step.keeps) : curl(step)}`),
    ...(steps.length === 0 ? [say('there is no request that can be sent again')] : []),
    ...(shows === '' ? [] : [say(shows)]),
  ];
  return `(\n${lines.filter(Boolean).join('\n\n')}\n)`;
}

/** The curl command that sends a request and prints status, headers and body of the answer. */
export function curl(step: Pick<Step, 'exchange' | 'url' | 'headers' | 'body'>): string {
  const { exchange, url, headers, body } = step;
  const { method } = exchange.request;
  const address = url.map((piece) => ('text' in piece ? quote(piece.text) : `"$(encoded "$${piece.variable}")"`));
  const lines = [
    `curl -sS -i -g --path-as-is --proto '=http,https' -X ${quote(method)} --url ${address.join('') || "''"}`,
  ];
  for (const [name, value] of headers)
    lines.push(`-H ${words([{ text: value.length === 0 ? `${name};` : `${name}: ` }, ...value])}`);
  if (body) {
    if (headerOf(exchange, 'content-type') === '') lines.push("-H 'content-type:'");
    lines.push(...(isForm(exchange) ? form(body) : [`--data-raw ${words(body)}`]));
  }
  return lines.join(' \\\n  ');
}

function words(pieces: readonly Piece[]): string {
  let text = '';
  const quoted = pieces.map((piece) => {
    if ('text' in piece) {
      text += piece.text;
      return '';
    }
    const before = text === '' ? '' : quote(text);
    text = '';
    return `${before}"$${piece.variable}"`;
  });
  return `${quoted.join('')}${text === '' ? '' : quote(text)}` || "''";
}

/** A form by its fields, so that curl encodes the secrets, whose variables hold them unencoded. */
function form(body: readonly Piece[]): string[] {
  const fields: Piece[][] = [[]];
  for (const piece of body) {
    if ('variable' in piece) fields.at(-1)!.push(piece);
    else
      for (const [index, text] of piece.text.split('&').entries()) {
        if (index > 0) fields.push([]);
        if (text !== '') fields.at(-1)!.push({ text });
      }
  }
  return fields.map((field) => `${isSecret(field) ? '--data-urlencode' : '--data-raw'} ${words(field)}`);
}

const isSecret = ([first, second, ...others]: readonly Piece[]) =>
  others.length === 0 && first && 'text' in first && /^[^=]+=$/.test(first.text) && second && 'variable' in second;

/** Percent-encodes every byte, so that any text may stand in an address. */
const ENCODING = `encoded() { printf %s "$1" | od -An -v -tx1 | tr -d ' \\n' | sed 's/../%&/g'; }`;

/** Asks for a variable that nobody has set, by name. */
const NEED = `need() { eval "[ -n \\"\\\${$1:-}\\" ]" || { printf '%s\\n' "set $1 first: $2" >&2; TARGET_UNSET=1; }; }`;

/** Sets variables; where nobody has set some, asks for all of these at once, and stops. */
function settings(variables: readonly Variable[]): string[] {
  const needed = variables.filter(({ name, byDefault }) => name !== FRESH && byDefault === undefined);
  const others = variables.filter((one) => !needed.includes(one));
  return [
    ...(needed.length > 0 ? [NEED, 'TARGET_UNSET='] : []),
    ...needed.map(({ name, what }) => `need ${name} '${plain(what)}'`),
    ...(needed.length > 0 ? ['[ -z "$TARGET_UNSET" ] || exit 1'] : []),
    ...others.map(({ name, byDefault }) =>
      name === FRESH ? `${name}="$(date +%s | tail -c ${FRESH_DIGITS + 1})"` : `: "\${${name}:=${byDefault}}"`,
    ),
  ];
}

/** Shows the answer, and keeps one of its string members in a variable. */
const keeping = (step: Step, { variable, member }: NonNullable<Step['keeps']>) =>
  `TARGET_ANSWER="$(${curl(step)})"
printf '%s\\n' "$TARGET_ANSWER"
${variable}="$(printf '%s\\n' "$TARGET_ANSWER" | sed -n 's/.*"${member}" *: *"\\([^"]*\\)".*/\\1/p' | head -n 1)"`;

/** A line that announces the next request; not a comment, since some shells reject those at the prompt. */
const heading = (step: Step) => say(titleOf(step));

const say = (text: string) => `printf '\\n%s\\n' '== ${text.replace(/[^\x20-\x7e]|['\\!]/g, ' ').slice(0, 300)}'`;

/** Words of the suite or of a record, fit for a message within quotes. */
const plain = (text: string) => text.replaceAll(/[^\p{L}\p{Nd} .,:;=@/_-]/gu, ' ').slice(0, 200);
