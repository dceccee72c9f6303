/** What the addresses of a target say of the way to it. */
import type { Configuration } from './types.ts';

/** Whether an address is one of this machine's own, which no name server and no proxy has a say in. */
export function isLoopback(url: string): boolean {
  const host = hostname(url);
  return /(^|\.)localhost$/.test(host) || /^127(\.\d+){3}$/.test(host) || host === '::1';
}

/** The host of an address as users write it: without the brackets of IPv6 and the dot of the root. */
export const hostname = (url: string) => new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** A warning for each address to which credentials go as anybody on the way can read them. */
export const unencrypted = (target: Pick<Configuration['target'], 'authUrl' | 'baseUrl' | 'portalUrl'>): string[] =>
  [target.authUrl, target.baseUrl, target.portalUrl]
    .filter((url) => url !== undefined)
    .filter((url) => new URL(url).protocol === 'http:' && !isLoopback(url))
    .map((url) => `Credentials go to ${new URL(url).host} unencrypted: the address begins with http://`)
    .filter((note, index, all) => all.indexOf(note) === index);

/** The variables that name a proxy, by the protocol of the requests that go by it; the first that is set counts. */
export const PROXY_VARIABLES = {
  'http:': ['http_proxy', 'HTTP_PROXY'],
  'https:': ['https_proxy', 'HTTPS_PROXY'],
} as const;

/** The password in the address of a proxy, as it is sent; undefined where it cannot be, for a percent sign that begins no escape. */
export function proxyPassword(address: string): string | undefined {
  const { username, password } = URL.parse(address) ?? { username: '', password: '' };
  try {
    decodeURIComponent(username);
    return decodeURIComponent(password);
  } catch {
    return undefined;
  }
}
