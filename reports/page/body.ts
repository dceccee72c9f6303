/** Lays out received bodies for reading. */
import { type Content, type Html, html } from './html.ts';

/** Maximum number of characters of a body that the page shows. */
const MOST = 3000;
/** Number of items of a long array that are shown besides those pointed at. */
const ITEMS = 2;

/** An enclosing array or object. */
interface Frame {
  pointer: string;
  array: boolean;
  index: number;
  /** The member whose value comes next; undefined if a name comes next. */
  key: string | undefined;
  /** Number of items skipped. */
  passed: number;
}

/**
 * JSON text on indented lines, with literals as they were sent; other text unchanged. Long arrays are shortened.
 *
 * @param pointers JSON Pointers of the parts to mark: a member's name and value, or the opening bracket of an array or
 * object
 */
export function body(text: string, pointers: ReadonlySet<string>): Html {
  return /^\s*[{[]/.test(text) ? laidOut(text, [...pointers]) : html`${cut(text)}`;
}

const cut = (text: string): string =>
  text.length > MOST ? `${text.slice(0, MOST)}\n… ${text.length - MOST} more characters in exchanges.ndjson` : text;

/** Goes through the tokens once, without recursion, since a target may nest arbitrarily deep. */
function laidOut(text: string, pointers: string[]): Html {
  const parts: Content[] = [];
  const stack: Frame[] = [];
  let length = 0;
  /** The depth at which an item is being skipped. */
  let passing: number | undefined;

  const put = (token: string, marked = false) => {
    if (passing !== undefined) return;
    parts.push(marked ? html`<mark>${token}</mark>` : token);
    length += token.length;
  };
  const line = (depth = stack.length) => put(`\n${'  '.repeat(Math.min(depth, 20))}`);
  const leadsTo = (pointer: string) => pointers.some((one) => one === pointer || one.startsWith(`${pointer}/`));

  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}:,]|[^\s[\]{}:,"]+/gs)) {
    if (length > MOST) {
      parts.push('\n… the rest is in exchanges.ndjson');
      break;
    }
    const frame = stack.at(-1);
    if (token === ']' || token === '}') {
      if (frame && frame.passed > 0) {
        line();
        put(`… ${frame.passed} more`);
      }
      stack.pop();
      if (frame && frame.index >= 0) line();
      put(token);
      if (passing === stack.length) passing = undefined;
    } else if (token === ',') {
      if (!frame || frame.passed === 0) put(',');
      if (frame) frame.key = undefined;
    } else if (token === ':') put(': ');
    else if (frame && !frame.array && frame.key === undefined) {
      frame.index++;
      frame.key = unquoted(token);
      line();
      put(token, pointers.includes(below(frame)));
    } else {
      if (frame?.array) {
        frame.index++;
        if (passing === undefined && frame.index >= ITEMS && !leadsTo(below(frame))) {
          frame.passed++;
          passing = stack.length;
        } else line();
      }
      const pointer = frame ? below(frame) : '';
      put(token, pointer !== '' && pointers.includes(pointer));
      if (token === '[' || token === '{') {
        stack.push({ pointer, array: token === '[', index: -1, key: undefined, passed: 0 });
      } else if (passing === stack.length) passing = undefined;
    }
  }
  return html`${parts}`;
}

/** The JSON Pointer (RFC 6901) of a frame's current item or member. */
const below = ({ pointer, array, index, key = '' }: Frame): string =>
  `${pointer}/${array ? index : key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

function unquoted(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}
