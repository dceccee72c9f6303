/** Builds the request for an operation and an input. */
import type { Operation } from '../../contracts/operation.ts';
import { writeJson } from '../../files/json.ts';
import type { Input } from '../answer.ts';
import { addressOf } from '../configuration/scope.ts';
import type { Configuration } from '../configuration/types.ts';
import { name, version } from '../manifest.ts';
import type { WireRequest } from './http/types.ts';

/** The address of an operation, without query. Path parameters are percent-encoded (RFC 3986 section 2.1). */
function addressOfOperation(
  target: Configuration['target'],
  operation: Operation,
  path: Record<string, string> = {},
): string {
  const base = addressOf(target, operation.interface) ?? '';
  return base + pathTemplate(target, operation).replace(/\{(\w+)\}/g, (_, name: string) => encoded(path[name] ?? ''));
}

/** The path of an operation below its address; `{name}` stands for a path parameter. */
export function pathTemplate(target: Configuration['target'], operation: Operation): string {
  if (operation.id === 'token.issue') return fill(target.tokenPath, { tenant_path: target.tenantPath ?? '' });
  if (operation.interface === 'token') return fill(operation.path, { tenant_path: target.tenantPath ?? '' });
  if (operation.interface === 'v1')
    return fill(target.portalPath, { operation: operation.path, endpoint_set: operation.endpointSet ?? '' });
  return operation.path;
}

/** Fills in placeholders without encoding, since the tenant path may hold slashes. */
const fill = (template: string, values: Record<string, string>) =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

/** Percent-encodes. A lone surrogate, which cannot be encoded, stays, and the request is refused. */
const encoded = (text: string) => (text.isWellFormed() ? encodeURIComponent(text) : text);

export function wireRequest(
  target: Configuration['target'],
  operation: Operation,
  input: Input,
  authorisation: { headers?: Record<string, string>; query?: Record<string, string> },
): WireRequest {
  const query = Object.entries({ ...authorisation.query, ...input.query })
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => [value].flat().map((one) => `${name}=${encoded(String(one))}`));
  const search = query.length > 0 ? `?${query.join('&')}` : '';
  const { body, mediaType } = bodyOfInput(input);
  return {
    method: operation.method,
    url: addressOfOperation(target, operation, input.path) + search,
    headers: {
      accept: 'application/json',
      ...ownHeaders(target),
      ...(mediaType ? { 'content-type': mediaType } : {}),
      ...authorisation.headers,
    },
    body,
  };
}

function bodyOfInput(input: Input): { body?: string; mediaType?: string } {
  if (input.form) {
    const members = Object.entries(input.form).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return { body: new URLSearchParams(members).toString(), mediaType: 'application/x-www-form-urlencoded' };
  }
  if (input.json !== undefined) return { body: writeJson(input.json), mediaType: 'application/json' };
  if (input.text !== undefined) return { body: input.text, mediaType: 'application/json' };
  return input.emptyJson ? { mediaType: 'application/json' } : {};
}

/** The configured headers, and User-Agent (RFC 9110 section 10.1.5) unless they include one. */
export function ownHeaders({ headers }: Configuration['target']): Record<string, string> {
  const hasAgent = Object.keys(headers).some((header) => header.toLowerCase() === 'user-agent');
  return hasAgent ? { ...headers } : { 'user-agent': `${name}/${version}`, ...headers };
}
