/** Those who wait for their turn: the highest priority goes first, which may rise meanwhile, then who asked first. */
export class Waiting<T extends { readonly priority: () => number }> {
  readonly #all: T[] = [];

  add(one: T): void {
    this.#all.push(one);
  }

  /** Takes the first of those who may go now; undefined where nobody may. */
  take(mayGo: (one: T) => boolean): T | undefined {
    const [first] = this.#all.filter(mayGo).toSorted((one, other) => other.priority() - one.priority());
    if (first) this.#all.splice(this.#all.indexOf(first), 1);
    return first;
  }

  every(isMeant: (one: T) => boolean): boolean {
    return this.#all.every(isMeant);
  }
}
