/** Remembers what is computed of an object, for as long as that is there. */

/** A function that computes a value once per object. @param compute gives the same each time */
export function oncePer<K extends WeakKey, V>(compute: (of: K) => V): (of: K) => V {
  const known = new WeakMap<K, V>();
  return (of) => {
    if (!known.has(of)) known.set(of, compute(of));
    return known.get(of)!;
  };
}
