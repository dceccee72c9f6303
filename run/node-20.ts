/**
 * Polyfills for Node 20 that this package and its dependencies need. Must be imported first; does nothing on later
 * versions.
 */
import workerThreads from 'node:worker_threads';
import zlib from 'node:zlib';

/** Adds missing properties to an object. */
function complete(target: object, missing: Record<string, (...args: never[]) => unknown>): void {
  for (const [name, value] of Object.entries(missing))
    if (!(name in target)) Object.defineProperty(target, name, { value, writable: true, configurable: true });
}

complete(Promise, {
  withResolvers() {
    let resolve: unknown;
    let reject: unknown;
    const promise = new Promise((onResolve, onReject) => {
      resolve = onResolve;
      reject = onReject;
    });
    return { promise, resolve, reject };
  },
});

complete(Map, {
  groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
    const groups = new Map<Key, Item[]>();
    for (const item of items) {
      const group = groups.get(keyOf(item));
      if (group) group.push(item);
      else groups.set(keyOf(item), [item]);
    }
    return groups;
  },
});

complete(Set.prototype, {
  union<Item>(this: Set<Item>, other: Iterable<Item>): Set<Item> {
    return new Set([...this, ...other]);
  },
});

complete(URL, {
  parse(text: string, base?: string): URL | null {
    return URL.canParse(text, base) ? new URL(text, base) : null;
  },
});

// undici reads these when it is loaded; no request asks for zstd.
complete(workerThreads, { markAsUncloneable() {} });
complete(zlib, {
  createZstdDecompress() {
    throw new Error('zstd needs Node 22.15');
  },
});

if (!('rawJSON' in JSON)) addSourcesToJson();

/** Adds JSON.parse source text access and JSON.rawJSON, as far as unsafe integers need them. */
function addSourcesToJson(): void {
  const { parse, stringify } = JSON;
  const MARK = '\u0000integer ';
  const LONG_INTEGER = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;
  const marked = (token: string) => (token.startsWith('"') ? token : stringify(MARK + token));
  type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;
  JSON.parse = ((text: string, reviver?: Reviver) => {
    if (!reviver) return parse(text);
    return parse(String(text).replace(LONG_INTEGER, marked), function (this: unknown, key, value) {
      if (typeof value !== 'string' || !value.startsWith(MARK)) return reviver.call(this, key, value, {});
      const source = value.slice(MARK.length);
      return reviver.call(this, key, Number(source), { source });
    });
  }) as typeof parse;
  complete(JSON, { rawJSON: (text: string) => MARK + text });
  JSON.stringify = ((...args: Parameters<typeof stringify>) =>
    stringify(...args)?.replace(/"\\u0000integer (-?\d+)"/g, '$1')) as typeof stringify;
}
