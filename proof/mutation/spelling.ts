/** How a mutant spells what the sound target names otherwise: identifiers, tokens and sessions, whose form no document gives. */

/** Members whose values name something. */
const NAMING = /(?:identifier|id|token|proxy|number)s?$/i;
/** Shorter values occur in texts by chance. */
const SHORTEST = 5;

/** What names something in a JSON value, in order. @param isName whether each of its values does */
export function* namesIn(value: unknown, isName = false): Iterable<string> {
  if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) yield* namesIn(item, isName || NAMING.test(key));
  else if (isName && String(value).length >= SHORTEST) yield String(value);
}

/** Pairs of names, one to one. */
export class Spelling {
  /** Names that the sound target has given: a mutant that gives one of them for another confuses things. */
  readonly #given = new Set<string>();
  readonly #toMutant = new Map<string, string>();
  readonly #toSound = new Map<string, string>();

  /** Learns the names in two values that correspond. */
  learn(sound: readonly string[], mutant: readonly string[]): void {
    for (const name of sound) this.#given.add(name);
    if (sound.length !== mutant.length) return;
    for (const [index, name] of sound.entries()) {
      const other = mutant[index]!;
      if (this.#given.has(other) || this.#toMutant.has(name) || this.#toSound.has(other)) continue;
      // As it stands in an address, too.
      for (const spell of [encodeURIComponent, String]) this.#toMutant.set(spell(name), spell(other));
      this.#toSound.set(other, name);
    }
  }

  /** A text in the spelling of the mutant. */
  readonly toMutant = (text: string): string => respelled(text, this.#toMutant);

  /** A text in the spelling of the sound target. */
  readonly toSound = (text: string): string => respelled(text, this.#toSound);
}

/** The text with all names replaced at once. */
function respelled(text: string, names: ReadonlyMap<string, string>): string {
  const found = [...names.keys()].filter((name) => text.includes(name));
  if (found.length === 0) return text;
  const pattern = found.map((name) => name.replaceAll(/[.+*?^${}()|[\]\\]/g, '\\$&')).join('|');
  return text.replaceAll(new RegExp(pattern, 'g'), (name) => names.get(name)!);
}
