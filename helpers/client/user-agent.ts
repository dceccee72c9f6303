import type { Configuration } from '../configuration/types.ts';
import { name, version } from '../manifest.ts';

/** The configured headers, and User-Agent (RFC 9110 section 10.1.5) unless they include one. */
export function ownHeaders({ headers }: Configuration['target']): Record<string, string> {
  const hasAgent = Object.keys(headers).some((header) => header.toLowerCase() === 'user-agent');
  return hasAgent ? { ...headers } : { 'user-agent': `${name}/${version}`, ...headers };
}
