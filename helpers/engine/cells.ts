/**
 * Tables of cells: what has several factors is tried in combinations of their levels. A *cell* is one level of each factor, and covers its pairs of
 * levels: most faults of interaction show in pairs (NIST SP 800-142).
 */

/** Factors with their levels, in words. */
type Factors = Readonly<Record<string, readonly string[]>>;

/** One level of each factor. */
export type Cell<F extends Factors = Factors> = { readonly [Factor in keyof F]: F[Factor][number] };

/**
 * The cells of a table.
 * @param isPossible excludes combinations that there are none of
 * @example
 * cellsOf({ first: ['plain', 'Digital'], second: ['plain', 'Digital'] }, ({ first, second }) => first !== second);
 */
export function cellsOf<F extends Factors>(factors: F, isPossible: (cell: Cell<F>) => boolean = () => true): Cell<F>[] {
  const cells = Object.entries(factors).reduce<Cell[]>(
    (made, [factor, levels]) => made.flatMap((cell) => levels.map((level) => ({ ...cell, [factor]: level }))),
    [{}],
  );
  return (cells as Cell<F>[]).filter(isPossible);
}

/** The name of a cell in the record: its levels. */
export const nameOf = (cell: Cell): string => Object.values(cell).join(', ');

/** The pairs of levels that a cell covers. */
export const pairsOf = (cell: Cell): string[] =>
  Object.entries(cell).flatMap((one, index, all) => all.slice(index + 1).map((other) => [...one, ...other].join(', ')));
