/** Global functions for instrumented code: the switch of the active mutant, and weakened comparisons. */

declare global {
  /** Number of the active mutant; 0 for none. */
  var __mutant: number;
  /** Numbers of the mutants that the sound target has reached. */
  var __reached: Set<number>;
  /** Whether a mutant is active. */
  function __active(number: number): boolean;
  /** Compares two values, texts in a weakened way: by `case`, `trim` or `prefix`. */
  function __loosely(way: string, left: unknown, right: unknown): boolean;
}

/** Installs the globals for instrumented code. */
export function installRuntime(): void {
  globalThis.__mutant = 0;
  globalThis.__reached = new Set();
  globalThis.__active = (number) => {
    if (__mutant === 0) __reached.add(number);
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
