import type { Choices } from './choices.ts';

/** What kind of thing a freedom leaves open. */
export type Family =
  | 'format'
  | 'bounds'
  | 'presence'
  | 'order'
  | 'time'
  | 'count'
  | 'precondition'
  | 'transport'
  | 'business-rule';

/** Something that the documents leave open, and another way to have it. */
export interface Freedom {
  id: string;
  /** Document, section and row, and what they leave open there. */
  basis: string;
  family: Family;
  /** Why it might be read as breaking a sentence after all. */
  doubt?: string;
  /** Ids of freedoms that it cannot be had together with. */
  excludes?: readonly string[];
  change(choices: Choices): void;
}

/** All freedoms. */
export const freedoms: readonly Freedom[] = [];
