/** Bounds what a page says, so that it keeps its length whatever a target answers. */
import { cut, visible } from '../text.ts';

/** Text on one line, of at most so many characters. */
export const shortened = (text: string, most: number): string => cut(visible(text), most);
