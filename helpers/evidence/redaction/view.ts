/** A text as it reads once an encoding is taken off, and where each character of it stood. */

/** Characters of a text or of what it decodes to, with their places in the text that is written. */
export interface View {
  text: string;
  /** Where the first character stands in the written text, where nothing was decoded and so the others follow it. */
  offset: number;
  /** Where each character begins and ends, where something was decoded. */
  places?: { starts: Int32Array; ends: Int32Array };
  /** In base64 and the like a character cannot be replaced by another one in its place. */
  opaque: boolean;
}

/** The text itself, as the view that nothing was taken off. */
export const plainView = (text: string): View => ({ text, offset: 0, opaque: false });

/** Where the characters from `from` to `to` (exclusive) of the view stand in the written text. */
export function spanOf({ offset, places }: View, from: number, to: number): { start: number; end: number } {
  return places
    ? { start: places.starts[from]!, end: places.ends[to - 1]! }
    : { start: offset + from, end: offset + to };
}

/** A piece of a view. */
export function slice(view: View, from: number, to: number): View {
  const { text, offset, places, opaque } = view;
  const piece = { text: text.slice(from, to), offset: offset + from, opaque };
  if (!places) return piece;
  return { ...piece, places: { starts: places.starts.subarray(from, to), ends: places.ends.subarray(from, to) } };
}

/** A view of `text`, whose characters come from characters of `of`: the place of each is given as from and to (exclusive). */
export function viewOf(of: View, text: string, place: (index: number) => [number, number], opaque = of.opaque): View {
  const starts = new Int32Array(text.length);
  const ends = new Int32Array(text.length);
  for (let index = 0; index < text.length; index++) {
    const [from, to] = place(index);
    const { start, end } = spanOf(of, from, to);
    starts[index] = start;
    ends[index] = end;
  }
  return { text, offset: 0, places: { starts, ends }, opaque };
}
