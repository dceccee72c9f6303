/** Tells to which operation a request belongs, by the configured addresses, or by the paths of the documents alone. */
import type { Operation } from '../contracts/operation.ts';
import { operations } from '../contracts/operations.ts';
import { pathTemplate } from '../helpers/client/wire-request.ts';
import { addressOf, type Interface } from '../helpers/configuration/scope.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
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

const escaped = (text: string) => text.replace(/[.*+?^$()|[\]\\/-]/g, String.raw`\$&`);

/** Routes with fewer parameters come first: `/cards/cards` is a listing, not a card. */
function routesOf(target: Configuration['target']): Route[] {
  const route = (operation: Operation): Route => {
    const address = addressOf(target, operation.interface);
    const base = address === undefined ? ANY_BASE : escaped(address);
    const template = pathTemplate({ ...target, tenantPath: target.tenantPath ?? '{tenant_path}' }, operation);
    const path = escaped(template)
      .replace('{tenant_path}', '[^?#]+?')
      .replace(/\{(\w+)\}/g, '(?<$1>[^/?#]*)');
    return { operation, isConfigured: address !== undefined, pattern: new RegExp(`^(?<base>${base})${path}$`, 'i') };
  };
  const parameters = ({ path }: Operation) => path.split('{').length;
  return operations.toSorted((a, b) => parameters(a) - parameters(b)).map(route);
}

/**
 * Finds the operations of requests. Where an interface has no address, its first request fixes that: for users and cards one with a bearer
 * token, since others have paths that end like theirs.
 */
export class Addresses {
  readonly #routes: readonly Route[];
  readonly #bases = new Map<Interface, string>();
  /** Number of requests that belong to no operation, by origin. */
  readonly elsewhere = new Map<string, number>();

  constructor(target: Configuration['target']) {
    this.#routes = routesOf(target);
  }

  /** The operation that a request calls; undefined if it belongs to none. */
  find({ method, url, request }: Recorded): Addressed | undefined {
    const [address = ''] = url.split(/[?#]/, 1);
    for (const { operation, isConfigured, pattern } of this.#routes) {
      if (operation.method !== method.toUpperCase()) continue;
      const { base, ...path } = pattern.exec(address)?.groups ?? {};
      if (base === undefined) continue;
      const known = this.#bases.get(operation.interface);
      const mayBeFirst =
        isConfigured || operation.authorisation !== 'bearer' || isBearer(headerIn(request.headers, 'authorization'));
      if (known === undefined && mayBeFirst) this.#bases.set(operation.interface, base);
      if ((known ?? (mayBeFirst ? base : undefined)) === base) return { operation, path: decoded(path) };
    }
    const { origin = 'no address' } = URL.parse(url) ?? {};
    this.elsewhere.set(origin, (this.elsewhere.get(origin) ?? 0) + 1);
    return undefined;
  }

  /** The address of an interface that was seen; undefined for none. */
  baseOf(of: Interface): string | undefined {
    return this.#bases.get(of);
  }
}

const isBearer = (authorization: string | undefined): boolean => /^bearer /i.test(authorization ?? '');

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
