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
  skipped: number;
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
  const layout = new Layout(pointers);
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}:,]|[^\s[\]{}:,"]+/gs)) {
    if (layout.length > MOST) return html`${layout.parts}\n… the rest is in exchanges.ndjson`;
    layout.add(token);
  }
  return html`${layout.parts}`;
}

/** Lays out JSON token by token: a line for each item, the marked ones highlighted, the further items of long arrays counted. */
class Layout {
  readonly parts: Content[] = [];
  length = 0;
  readonly #pointers: readonly string[];
  readonly #stack: Frame[] = [];
  /** The depth at which an item is being skipped. */
  #skipping: number | undefined;

  /** @param pointers of what is highlighted */
  constructor(pointers: readonly string[]) {
    this.#pointers = pointers;
  }

  add(token: string): void {
    const frame = this.#stack.at(-1);
    if (token === ']' || token === '}') this.#end(token);
    else if (token === ',') {
      if (!frame || frame.skipped === 0) this.#put(',');
      if (frame) frame.key = undefined;
    } else if (token === ':') this.#put(': ');
    else if (frame && !frame.array && frame.key === undefined) this.#name(frame, token);
    else this.#value(frame, token);
  }

  #put(token: string, isMarked = false): void {
    if (this.#skipping !== undefined) return;
    this.parts.push(isMarked ? html`<mark>${token}</mark>` : token);
    this.length += token.length;
  }

  #line(): void {
    this.#put(`\n${'  '.repeat(Math.min(this.#stack.length, 20))}`);
  }

  #end(token: string): void {
    const frame = this.#stack.at(-1);
    if (frame && frame.skipped > 0) {
      this.#line();
      this.#put(`… ${frame.skipped} more`);
    }
    this.#stack.pop();
    if (frame && frame.index >= 0) this.#line();
    this.#put(token);
    if (this.#skipping === this.#stack.length) this.#skipping = undefined;
  }

  #name(frame: Frame, token: string): void {
    frame.index++;
    frame.key = unquoted(token);
    this.#line();
    this.#put(token, this.#pointers.includes(below(frame)));
  }

  #value(frame: Frame | undefined, token: string): void {
    if (frame?.array) this.#item(frame);
    const pointer = frame ? below(frame) : '';
    this.#put(token, pointer !== '' && this.#pointers.includes(pointer));
    if (token === '[' || token === '{')
      this.#stack.push({ pointer, array: token === '[', index: -1, key: undefined, skipped: 0 });
    else if (this.#skipping === this.#stack.length) this.#skipping = undefined;
  }

  /** Begins the next item of an array, which is skipped where it is one of many and leads to nothing that is highlighted. */
  #item(frame: Frame): void {
    frame.index++;
    const leadsTo = (pointer: string) => this.#pointers.some((one) => one === pointer || one.startsWith(`${pointer}/`));
    if (this.#skipping === undefined && frame.index >= ITEMS && !leadsTo(below(frame))) {
      frame.skipped++;
      this.#skipping = this.#stack.length;
    } else this.#line();
  }
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
