/** The row of the documents that a requirement comes from. */
import { documents, type Statement } from '../contracts/statements/index.ts';

/** A statement of a document, and where it stands. */
export interface Cited extends Pick<Statement, 'row' | 'text'> {
  document: string;
  section: string;
}

/** The statement that a requirement judges: one that names it before one that a pattern leads to; undefined for one of another catalogue. */
export function statementOf(id: string): Cited | undefined {
  return (
    cited().get(id) ?? [...cited()].find(([pattern]) => pattern.includes('*') && expression(pattern).test(id))?.[1]
  );
}

let byPattern: Map<string, Cited> | undefined;

function cited(): Map<string, Cited> {
  byPattern ??= new Map(
    documents.flatMap(({ title, sections }) =>
      sections.flatMap(({ heading, statements }) =>
        statements.flatMap(({ row, text, judged = [] }) =>
          judged.map((pattern) => [pattern, { document: title, section: heading, row, text }] as const),
        ),
      ),
    ),
  );
  return byPattern;
}

const expression = (pattern: string) =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replaceAll('.', '\\.'))
      .join('.*')}$`,
  );
