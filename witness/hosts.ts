/** By which names a proxy may be called: a page whose own name leads to it (DNS rebinding) must not use the credentials that it has. */
import { isIP } from 'node:net';
import { hostname as nameOfMachine } from 'node:os';
import { hostname, isLoopback } from '../helpers/configuration/addresses.ts';

/** Names that nobody can have in public name servers: without a dot, such as those of containers, or reserved. */
const PRIVATE_NAME = /^[^.]+$|\.(?:internal|local|localhost|home\.arpa)$/i;

/** An address that stands for all of a machine. */
const isUnspecified = (address: string): boolean => address === '0.0.0.0' || address === '::';

/** How an address stands in a URL. */
const bracketed = (address: string): string => (isIP(address) === 6 ? `[${address}]` : address);

/**
 * The origin at which a proxy is reached from this machine.
 * @param address that it listens at
 */
export const originOf = (address: string, port: number): string =>
  `http://${isUnspecified(address) ? '127.0.0.1' : bracketed(address)}:${port}`;

/**
 * Whether a request may have been made for this proxy, by its Host header.
 * @param address that the proxy listens at: elsewhere than on loopback it is called by any address, its own name, and private names
 */
export function isOwnHost(host: string | undefined, address: string): boolean {
  if (host === undefined) return true;
  const url = `http://${host}`;
  if (/[@/?#\\]/.test(host) || !URL.canParse(url)) return false;
  if (isLoopback(url)) return true;
  const name = hostname(url);
  if (isLoopback(originOf(address, 0)) && !isUnspecified(address)) return false;
  const own = [address, nameOfMachine()].map((one) => one.toLowerCase());
  return isIP(name) !== 0 || own.includes(name) || PRIVATE_NAME.test(name);
}

/**
 * Whether a URL leads to this proxy, as far as its address shows that; what name servers make of a name does not count.
 * @param address that the proxy listens at
 */
export function leadsTo(url: string, address: string, port: number): boolean {
  const { port: at, protocol } = new URL(url);
  if (Number(at || (protocol === 'https:' ? 443 : 80)) !== port) return false;
  const name = hostname(url);
  if (isUnspecified(address)) return isLoopback(url);
  const isHere = isLoopback(originOf(address, port)) && (name === 'localhost' || isUnspecified(name));
  return isHere || name === address.toLowerCase();
}
