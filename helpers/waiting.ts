/** Those who wait for their turn: the highest priority goes first, which may rise meanwhile, then who asked first. */
export class Waiting<T extends { readonly priority: () => number }> {
  readonly #all: T[] = [];

  add(one: T): void {
    this.#all.push(one);
  }

  /** Takes the first of those who may go now; undefined where nobody may. */
  take(mayGo: (one: T) => boolean): T | undefined {
    let first: T | undefined;
    for (const one of this.#all) if ((!first || one.priority() > first.priority()) && mayGo(one)) first = one;
    if (first) this.#all.splice(this.#all.indexOf(first), 1);
    return first;
  }

  every(isMeant: (one: T) => boolean): boolean {
    return this.#all.every(isMeant);
  }
}
