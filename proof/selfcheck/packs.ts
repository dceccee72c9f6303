/** Packs of freedoms to judge together, since a run takes as long with several as with one. */

/**
 * Distributes items among packs, the same way each time. Neighbours are alike, so they go to different packs.
 * @param size of a pack; a pack may be larger where items exclude each other, and an item that fits into none gets its own
 * @param agree whether two items may share a pack
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
