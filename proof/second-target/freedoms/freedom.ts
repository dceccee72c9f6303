import type { Change } from './changes.ts';

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
  /** Document, section or row, and what is left open there. */
  basis: string;
  family: Family;
  /** Why it might be read as breaking a sentence after all. */
  doubt?: string;
  /** Ids of freedoms that it cannot be had together with. */
  excludes?: readonly string[];
  change: Change;
}

/** A freedom as it is written down: of one slot, only one can be had. */
export interface Draft extends Omit<Freedom, 'family' | 'excludes'> {
  slot?: string;
}

/** The freedoms of one family, each excluding the others of its slot. */
export function family(name: Family, drafts: readonly Draft[]): Freedom[] {
  return drafts.map(({ slot, ...draft }) => {
    const rivals = slot ? drafts.filter((other) => other.slot === slot && other.id !== draft.id) : [];
    return { ...draft, family: name, ...(slot ? { excludes: rivals.map(({ id }) => id) } : {}) };
  });
}

/** The freedoms that have a basis word for word, from the change that each makes. @param slot if only one can be had */
export function exactly(basis: string, changes: Record<string, Change>, slot?: string): Draft[] {
  return Object.entries(changes).map(([id, change]) => ({ id, basis, slot, change }));
}

/** The freedoms that share a basis but can be had together. */
export function also(basis: string, changes: Record<string, Change>): Draft[] {
  return Object.entries(changes).map(([id, change]) => ({ id, basis: `${basis}: ${id.replaceAll('-', ' ')}`, change }));
}

/** The freedoms that share a slot and a basis. */
export function ways(slot: string, basis: string, changes: Record<string, Change>): Draft[] {
  return also(basis, changes).map((draft) => ({ ...draft, slot }));
}

/** The same freedoms, with what can be said against them. */
export function doubtful(doubt: string, drafts: readonly Draft[]): Draft[] {
  return drafts.map((draft) => ({ ...draft, doubt }));
}
