/** A statement of the documents that the suite asserts or advises. */
import type { Level, Risk, Source } from '../record.ts';

/** Columns of the conformance matrix. */
export const GROUPS = ['shape', 'errors', 'authorisation', 'parameters', 'limits', 'states', 'effects'] as const;
export type Group = (typeof GROUPS)[number];

/** One requirement: its statement, and what a check of it needs. */
export interface Requirement {
  /** Dotted slug that begins with the operation it judges. Public, so it does not change once released. */
  readonly id: string;
  readonly level: Level;
  /** Our own words, in plain present tense. */
  readonly text: string;
  readonly source: Source;
  readonly operations: readonly string[];
  /** Numbers of the readings of the documents that it is based on. */
  readonly readings: readonly number[];
  readonly group: Group;
  /** What a check of it may change at the target. */
  readonly risk: Risk;
  /** Keys of the fixtures file without which it is skipped, e.g. `cards.active`. */
  readonly needs: readonly string[];
  /** Whether every exchange of the run judges it, so that it has no check of its own. */
  readonly everyExchange: boolean;
}

/** A documented statement that no outside observer can check. */
export interface Exclusion {
  readonly id: string;
  readonly text: string;
  readonly reason: string;
  readonly source: Source;
  readonly readings: readonly number[];
}

/** The hand-written part of a requirement; the rest follows from the operation that its id begins with. */
export interface Statement {
  readonly text: string;
  readonly readings: readonly number[];
  readonly group: Group;
  readonly level?: Level;
  readonly section?: string;
  readonly risk?: Risk;
  readonly needs?: readonly string[];
  readonly operations?: readonly string[];
  readonly everyExchange?: boolean;
}
