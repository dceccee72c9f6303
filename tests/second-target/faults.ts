import type { Choices } from './choices.ts';
import type { OperationId } from './operation-ids.ts';

/** A way to break a sentence of the documents. */
export interface Fault {
  id: string;
  /** Document, section and row, and the sentence that it breaks. */
  breaks: string;
  operation: OperationId;
  /** Which kind of hiding place it has, 0 for none. */
  blindSpot: number;
  change(choices: Choices): void;
}

/** All faults. */
export const faults: readonly Fault[] = [];
