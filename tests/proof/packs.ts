/** What is judged together: a run takes as long with several freedoms as with one. */

/**
 * Shares all out to packs, each to one; always the same. Those that follow one another are alike: they go to different packs.
 * @param size of a pack, one more where they do not come out even; what agrees with none is alone
 */
export function packed<T>(all: readonly T[], size: number, agree: (one: T, other: T) => boolean): T[][] {
  const packs = Array.from({ length: Math.ceil(all.length / size) }, (): T[] => []);
  for (const [index, one] of all.entries()) {
    const order = packs.map((_, n) => packs[(index + n) % packs.length]!);
    const fitting = order.filter((pack) => pack.every((other) => agree(one, other)));
    const [pack] = fitting.toSorted((a, b) => a.length - b.length);
    if (pack) pack.push(one);
    else packs.push([one]);
  }
  return packs;
}
