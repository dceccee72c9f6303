/** What instrumented code calls: which mutant is switched on, and the weakened comparisons. */

declare global {
  /** Number of the mutant that is switched on; 0 for none. */
  var __mutant: number;
  /** Numbers of the mutants whose place was reached since it was emptied. */
  var __reached: Set<number>;
  function __active(number: number): boolean;
  function __loosely(way: string, left: unknown, right: unknown): boolean;
}

/** Makes ready what instrumented code calls. */
export function installRuntime(): void {
  globalThis.__mutant = 0;
  globalThis.__reached = new Set();
  globalThis.__active = (number) => {
    __reached.add(number);
    return number === __mutant;
  };
  globalThis.__loosely = (way, left, right) => {
    if (typeof left !== 'string' || typeof right !== 'string') return left === right;
    if (way === 'case') return left.toLowerCase() === right.toLowerCase();
    if (way === 'trim') return left.trim() === right.trim();
    const length = Math.min(left.length, right.length);
    return length > 0 && left.slice(0, length) === right.slice(0, length);
  };
}
