/** Finds the row of the documents that a requirement comes from. */
import { documents, type Statement } from '../contracts/statements/index.ts';

/** A statement of a document, and its place. */
export interface Cited extends Pick<Statement, 'row' | 'text'> {
  document: string;
  section: string;
}

/**
 * The statement that a requirement judges: one that names it before one with a matching pattern, and of several the one
 * about the wrong member or its parent; undefined for a requirement of another catalogue.
 * @param pointer JSON pointer to what is wrong in a body
 */
export function statementOf(id: string, pointer = ''): Cited | undefined {
  const named =
    cited().get(id) ?? [...cited()].find(([pattern]) => pattern.includes('*') && expression(pattern).test(id))?.[1];
  const ofMember = (member: string) => named?.find(({ row }) => row.split(', ').includes(member));
  const [nearest] = pointer
    .split('/')
    .toReversed()
    .flatMap((member) => ofMember(member) ?? []);
  return nearest ?? named?.at(-1);
}

let byPattern: ReadonlyMap<string, Cited[]> | undefined;

/** Statements by the ids and patterns of what judges them. */
function cited(): ReadonlyMap<string, Cited[]> {
  byPattern ??= new Map(
    [...Map.groupBy(judgements(), ({ pattern }) => pattern)].map(([pattern, list]) => [
      pattern,
      list.map(({ statement }) => statement),
    ]),
  );
  return byPattern;
}

const judgements = (): { pattern: string; statement: Cited }[] =>
  documents.flatMap(({ title, sections }) =>
    sections.flatMap(({ heading, statements }) =>
      statements.flatMap(({ row, text, judged = [] }) =>
        judged.map((pattern) => ({ pattern, statement: { document: title, section: heading, row, text } })),
      ),
    ),
  );

const expression = (pattern: string) =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replaceAll('.', '\\.'))
      .join('.*')}$`,
  );
