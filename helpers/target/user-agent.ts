/** What every request says of itself, and what the configuration adds to it. */
import { readFileSync } from 'node:fs';
import type { Configuration } from '../configuration/types.ts';

const { name, version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  name: string;
  version: string;
};

/** The configured headers, and User-Agent (RFC 9110 section 10.1.5) unless they have one. */
export function ownHeaders({ headers }: Configuration['target']): Record<string, string> {
  const hasAgent = Object.keys(headers).some((header) => header.toLowerCase() === 'user-agent');
  return hasAgent ? { ...headers } : { 'user-agent': `${name}/${version}`, ...headers };
}
