/** Tells to which operation a request belongs, by the configured addresses, or by the paths of the documents alone. */
import type { Operation } from '../contracts/operation.ts';
import { operations } from '../contracts/operations.ts';
import { isObject } from '../helpers/answer.ts';
import { pathTemplate } from '../helpers/client/wire-request.ts';
import { addressOf, type Interface } from '../helpers/configuration/scope.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { outlineOf } from '../helpers/contract-rules/outline.ts';
import { readJson } from '../helpers/json.ts';
import { isMasked } from './left-out.ts';
import { headerIn, type Recorded } from './recorded.ts';

/** The operation that a request calls. */
export interface Addressed {
  operation: Operation;
  path: Record<string, string>;
}

interface Route {
  operation: Operation;
  isConfigured: boolean;
  /** Matches the address without its query; its groups are `base` and the path parameters. */
  pattern: RegExp;
}

const ANY_BASE = 'https?://[^/?#]+(?:/[^?#]*?)?';
/** In front of a tenant path that is not known, and so may have any number of parts. */
const ANY_HOST = 'https?://[^/?#]+';
const ANY_TENANT = '{tenant_path}';

const escaped = (text: string) => text.replace(/[.*+?^$()|[\]\\/-]/g, String.raw`\$&`);

/** Routes with fewer parameters come first: `/cards/cards` is a listing, not a card. */
function routesOf(target: Configuration['target']): Route[] {
  const route = (operation: Operation): Route => {
    const address = addressOf(target, operation.interface);
    const template = pathTemplate({ ...target, tenantPath: target.tenantPath ?? ANY_TENANT }, operation);
    const anyBase = template.includes(ANY_TENANT) ? ANY_HOST : ANY_BASE;
    const base = address === undefined ? anyBase : escaped(address);
    const path = escaped(template)
      .replace(ANY_TENANT, '[^?#]+?')
      .replace(/\{(\w+)\}/g, '(?<$1>[^/?#]*)');
    return { operation, isConfigured: address !== undefined, pattern: new RegExp(`^(?<base>${base})${path}$`, 'i') };
  };
  const parameters = ({ path }: Operation) => path.split('{').length;
  return operations.toSorted((a, b) => parameters(a) - parameters(b)).map(route);
}

/** An exchange with the operation that it calls. */
type Found = [recorded: Recorded, called: Addressed];

/** One that calls it if the interface has that address, which nothing has shown so far. */
interface Waiting extends Addressed {
  recorded: Recorded;
  base: string;
}

/** Limits on exchanges that wait for the address of their interface to be known, and on the bytes of their bodies. */
const MOST_WAITING = 5000;
const MOST_WAITING_BYTES = 64 * 1024 * 1024;
/** Number of operations below one address that are none of another site by chance. */
const TELLING_OPERATIONS = 2;

/**
 * Finds the operations of requests. Where an interface has no address, its first request fixes that: for users and cards one with a bearer
 * token, since others have paths that end like theirs. Where no request has one, as in a recording that was cleaned, it is told in the end by
 * several operations, or an answer of the documented shape.
 */
export class Addresses {
  readonly #routes: readonly Route[];
  readonly #bases = new Map<Interface, string>();
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  /** Number of requests that belong to no operation, by origin. */
  readonly elsewhere = new Map<string, number>();

  constructor(target: Configuration['target']) {
    this.#routes = routesOf(target);
  }

  /** What is known by an exchange: the operation that it calls, and those of earlier ones below the same address. */
  find(recorded: Recorded): Found[] {
    const { own } = recorded;
    // A record may name an operation that there is no longer, or never was.
    const operation = own && operations.find(({ id }) => id === own.operation);
    const matches = this.#match(recorded);
    if (operation) return [[recorded, { operation, path: matches[0]?.path ?? {} }]];
    const found = matches.find(({ isSure }) => isSure);
    if (found) return [...this.#fix(found.operation.interface, found.base), [recorded, found]];
    const [possible] = matches;
    if (!possible) this.#pass(recorded);
    else if (!this.#wait({ ...possible, recorded })) return this.settle();
    return [];
  }

  /** Tells which of those belong that wait, by all that is known of them. */
  settle(): Found[] {
    const found = [...Map.groupBy(this.#waiting, ({ operation }) => operation.interface)].flatMap(([of, waiting]) => {
      const below = [...Map.groupBy(waiting, ({ base }) => base)].filter(([, all]) => areTelling(all));
      const [most] = below.toSorted(([, a], [, b]) => b.length - a.length);
      return most ? this.#fix(of, most[0]) : [];
    });
    for (const { recorded } of this.#waiting) this.#pass(recorded);
    this.#keep([]);
    return found;
  }

  /** Fixes the address of an interface, and gives what waited for it. */
  #fix(of: Interface, base: string): Found[] {
    if (this.#bases.has(of)) return [];
    this.#bases.set(of, base);
    const mine = this.#waiting.filter(({ operation }) => operation.interface === of);
    const others = this.#waiting.filter(({ operation }) => operation.interface !== of);
    this.#keep(others);
    for (const { recorded } of mine.filter((one) => one.base !== base)) this.#pass(recorded);
    return mine.filter((one) => one.base === base).map((one) => [one.recorded, one]);
  }

  /** Keeps an exchange until its address is known. @returns whether there is room for more */
  #wait(waiting: Waiting): boolean {
    this.#waiting.push(waiting);
    this.#waitingBytes += bytesOf(waiting);
    return this.#waiting.length < MOST_WAITING && this.#waitingBytes < MOST_WAITING_BYTES;
  }

  #keep(waiting: Waiting[]): void {
    this.#waiting = waiting;
    this.#waitingBytes = waiting.reduce((sum, one) => sum + bytesOf(one), 0);
  }

  /** Counts a request that belongs to no operation. */
  #pass({ url }: Recorded): void {
    const { origin = 'no address' } = URL.parse(url) ?? {};
    this.elsewhere.set(origin, (this.elsewhere.get(origin) ?? 0) + 1);
  }

  /** The operations that a request may call, each with the address that its interface would have; those at its known address alone. */
  #match({ method, url, request }: Recorded): (Addressed & { base: string; isSure: boolean })[] {
    const [address = ''] = url.split(/[?#]/, 1);
    return this.#routes
      .filter(({ operation }) => operation.method === method.toUpperCase())
      .flatMap(({ operation, isConfigured, pattern }) => {
        const { base, ...path } = pattern.exec(address)?.groups ?? {};
        const known = this.#bases.get(operation.interface);
        if (base === undefined || (known !== undefined && known !== base)) return [];
        const isSure =
          known !== undefined ||
          isConfigured ||
          operation.authorisation !== 'bearer' ||
          isToken(headerIn(request.headers, 'authorization'));
        return { operation, path: decoded(path), base, isSure };
      });
  }

  /** The address of an interface that was seen; undefined for none. */
  baseOf(of: Interface): string | undefined {
    return this.#bases.get(of);
  }
}

/** Whether a bearer token is there, or stood there before the recording was cleaned. */
const isToken = (authorization = ''): boolean =>
  /^bearer /i.test(authorization) || (authorization !== '' && isMasked(authorization));

const bytesOf = ({ recorded: { request, response } }: Waiting): number =>
  (request.body?.length ?? 0) + (response.body?.length ?? 0);

/** Whether requests below one address are those of the interface: of several operations, or one is answered in the documented shape. */
const areTelling = (waiting: readonly Waiting[]): boolean =>
  new Set(waiting.map(({ operation }) => operation.id)).size >= TELLING_OPERATIONS || waiting.some(isAsDocumented);

/** Whether an answer is a success with documented members, all of them as documented. */
function isAsDocumented({ operation: { success }, recorded: { response } }: Waiting): boolean {
  if (typeof success?.body !== 'object' || response.status !== success.status || !response.body) return false;
  const json = readJson(response.body);
  const documented = outlineOf(success.body).members;
  if (!json.ok || !isObject(json.plain) || !success.body.safeParse(json.plain).success) return false;
  return Object.keys(json.plain).some((name) => documented?.has(name));
}

/** Path parameters with percent escapes resolved, those that are none left as they are. */
const decoded = (path: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(path).map(([name, value]) => {
      try {
        return [name, decodeURIComponent(value)];
      } catch {
        return [name, value];
      }
    }),
  );
