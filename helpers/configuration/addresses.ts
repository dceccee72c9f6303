/** Derives properties of the network path from a target's addresses: loopback, encryption, proxies. */
import { BlockList, isIP } from 'node:net';
import type { Configuration } from './types.ts';

/** Loopback, and the unspecified addresses, which lead there when connected to; IPv6 also holds IPv4 addresses. */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('0.0.0.0');
LOOPBACK.addAddress('::1', 'ipv6');
LOOPBACK.addAddress('::', 'ipv6');

/** Whether an address is this machine's own, whatever name servers say: a name below `localhost` is not. */
export function isLoopback(url: string): boolean {
  const host = hostname(url);
  return host === 'localhost' || (isIP(host) !== 0 && LOOPBACK.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4'));
}

/** The host of an address as users write it: without IPv6 brackets and without the trailing dot. */
export const hostname = (url: string) => new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** A warning for each address to which credentials would be sent unencrypted. */
export const unencrypted = (target: Pick<Configuration['target'], 'authUrl' | 'baseUrl' | 'portalUrl'>): string[] =>
  [target.authUrl, target.baseUrl, target.portalUrl]
    .filter((url) => url !== undefined)
    .filter((url) => new URL(url).protocol === 'http:' && !isLoopback(url))
    .map((url) => `Credentials go to ${new URL(url).host} unencrypted: the address begins with http://`)
    .filter((note, index, all) => all.indexOf(note) === index);

/** The environment variables that name a proxy, by the protocol of the request; the first one set wins. */
export const PROXY_VARIABLES = {
  'http:': ['http_proxy', 'HTTP_PROXY'],
  'https:': ['https_proxy', 'HTTPS_PROXY'],
} as const;

/** The decoded user and password in a proxy address; undefined if the address or a percent escape in it is invalid. */
export function proxyCredentials(address: string): { user: string; password: string } | undefined {
  const { username, password } = URL.parse(address) ?? { username: '', password: '' };
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}
