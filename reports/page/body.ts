/** Bodies as they came, laid out for reading. */
import { type Html, html } from './html.ts';

/** The most characters of a body that the page shows. */
const MOST = 3000;
/** The items of a long array that are shown beside those that are pointed at. */
const ITEMS = 2;

interface Frame {
  pointer: string;
  array: boolean;
  index: number;
  key: string;
  hidden: number;
}

/**
 * JSON text on indented lines, the literals as they stand in it; other text as it is. Long arrays are shortened.
 *
 * @param pointers JSON Pointers of the parts to mark
 */
export function body(text: string, pointers: ReadonlySet<string>): Html {
  return /^\s*[{[]/.test(text) ? laidOut(text, [...pointers]) : html`${cut(text)}`;
}

const cut = (text: string): string =>
  text.length > MOST ? `${text.slice(0, MOST)}\n… ${text.length - MOST} more characters in exchanges.ndjson` : text;

/** Goes through the tokens once, without recursion, since a target may nest as deep as it likes. */
function laidOut(text: string, pointers: string[]): Html {
  const parts: (Html | string)[] = [];
  const stack: Frame[] = [];
  let length = 0;
  let open: { depth: number; from: number } | undefined;
  let skippedFrom: number | undefined;

  const put = (token: string) => {
    if (skippedFrom !== undefined) return;
    parts.push(token);
    length += token.length;
  };
  const line = () => put(`\n${'  '.repeat(Math.min(stack.length, 20))}`);
  const pointed = (pointer: string) => pointers.some((one) => one === pointer || one.startsWith(`${pointer}/`));
  const mark = () => {
    if (!open) return;
    parts.splice(open.from, parts.length, html`<mark>${parts.slice(open.from)}</mark>`);
    open = undefined;
  };
  const ended = () => {
    if (open?.depth === stack.length) mark();
    if (skippedFrom === stack.length) skippedFrom = undefined;
  };

  let expectsKey = false;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}:,]|[^\s[\]{}:,"]+/gs)) {
    if (length > MOST) {
      mark();
      parts.push('\n… the rest is in exchanges.ndjson');
      break;
    }
    const frame = stack.at(-1);
    if (token === ']' || token === '}') {
      stack.pop();
      if (frame && frame.hidden > 0) {
        stack.push(frame);
        line();
        put(`… ${frame.hidden} more`);
        stack.pop();
      }
      if (frame && frame.index >= 0) line();
      put(token);
      ended();
      expectsKey = false;
    } else if (token === ',') {
      if (frame && (!frame.array || frame.hidden === 0)) put(',');
      expectsKey = frame !== undefined && !frame.array;
    } else if (token === ':') {
      put(': ');
      expectsKey = false;
    } else if (frame && expectsKey) {
      frame.index++;
      frame.key = token.slice(1, -1);
      line();
      put(token);
    } else {
      let pointer = '';
      if (frame) {
        if (frame.array) frame.index++;
        pointer = `${frame.pointer}/${frame.array ? frame.index : frame.key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        if (frame.array && frame.index >= ITEMS && skippedFrom === undefined && !pointed(pointer)) {
          frame.hidden++;
          skippedFrom = stack.length;
        } else if (frame.array) line();
      }
      if (!open && skippedFrom === undefined && pointer !== '' && pointers.includes(pointer)) {
        open = { depth: stack.length, from: parts.length };
      }
      put(token);
      if (token === '[' || token === '{') {
        stack.push({ pointer, array: token === '[', index: -1, key: '', hidden: 0 });
        expectsKey = token === '{';
      } else ended();
    }
  }
  mark();
  return html`${parts}`;
}
