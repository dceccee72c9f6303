/**
 * Builds markup that escapes by default: text from the target can never become an element, an attribute or a script.
 */
import { visible } from '../text.ts';

const ENTITIES: Partial<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\n': '\n',
  '\t': '\t',
};

/**
 * Escapes text for an element or a quoted attribute. Line feeds and tabs stay; other control characters become visible.
 */
export function escapeText(text: string): string {
  return text.replace(
    /[&<>"'\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => ENTITIES[character] ?? visible(character),
  );
}

/** Safe markup; only {@link html} and {@link trusted} create it. */
export class Html {
  readonly #markup: string;
  constructor(markup: string) {
    this.#markup = markup;
  }
  /** The markup as text, to be written to a file. */
  toString(): string {
    return this.#markup;
  }
}

/** A value that may be inserted into markup; `false`, `null` and `undefined` insert nothing. */
export type Content = Html | string | number | false | null | undefined | readonly Content[];

/**
 * Markup with inserted values: text and numbers are escaped, markup and lists of it are not. Attributes must be quoted.
 */
export function html(strings: TemplateStringsArray, ...values: Content[]): Html {
  let markup = strings[0]!;
  for (const [index, value] of values.entries()) markup += render(value) + strings[index + 1]!;
  return new Html(markup);
}

function render(value: Content): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(render).join('');
  return escapeText(String(value));
}

/** Text of this project's own files (style, script) as markup. Never for recorded text. */
export const trusted = (text: string): Html => new Html(text);
