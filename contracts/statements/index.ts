/** All statements of both documents, in order, with the requirements that judge them. */
import { V1, V3 } from '../documents.ts';
import type { Section } from './statement.ts';
import { v1Sections } from './v1.ts';
import { v3Sections } from './v3.ts';

export type { Section, Statement } from './statement.ts';

/** A document: its title and its sections. */
export interface Document {
  readonly title: string;
  readonly sections: readonly Section[];
}

export const documents: readonly Document[] = [
  { title: V3, sections: v3Sections },
  { title: V1, sections: v1Sections },
];
