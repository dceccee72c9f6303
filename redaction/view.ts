/** Decoded text that keeps the source position of each character. */

/** A text, or what it decodes to, with the positions in the written text. */
export interface View {
  text: string;
  /** Source position of the first character, if nothing was decoded. */
  offset: number;
  /** Source range of each character, if something was decoded. */
  places?: { starts: Int32Array; ends: Int32Array };
  /** Whether single characters cannot be replaced, as in base64. */
  opaque: boolean;
}

/** The text itself, without any decoding. */
export const plainView = (text: string): View => ({ text, offset: 0, opaque: false });

/** The source range of the view's characters from `from` to `to` (exclusive). */
export function spanOf({ offset, places }: View, from: number, to: number): { start: number; end: number } {
  return places
    ? { start: places.starts[from]!, end: places.ends[to - 1]! }
    : { start: offset + from, end: offset + to };
}

export function slice(view: View, from: number, to: number): View {
  const { text, offset, places, opaque } = view;
  const piece = { text: text.slice(from, to), offset: offset + from, opaque };
  if (!places) return piece;
  return { ...piece, places: { starts: places.starts.subarray(from, to), ends: places.ends.subarray(from, to) } };
}

/** A view of `text` decoded from `of`. @param place the range in `of`, end exclusive, of each character */
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
