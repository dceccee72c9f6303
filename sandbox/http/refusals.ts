/** Builds refusals: status, headers and body, by interface. */
import type { Answer, Refusal, RefusalKind } from '../exchange.ts';
import type { InterfaceName } from '../operations.ts';
import type { Rules } from '../rules.ts';
import { softRefusal } from '../v3/transfer.ts';

/** Kinds whose `name` is the parameter or member reported as fieldName. */
const aboutField: ReadonlySet<RefusalKind> = new Set<RefusalKind>([
  'missing-parameter',
  'parameter-type',
  'missing-member',
  'member-type',
  'limit',
  'negative',
  'range',
  'list',
  'product',
  'unknown-reference',
  'mismatch',
  'funds',
  'self',
  'continuation',
]);

/** Portal operations that list 401 (and orderCards, which lists nothing); the others list only 400. */
const portalWith401: ReadonlySet<string> = new Set([
  'portal.getCustomerList',
  'portal.getCustomerHierarchy',
  'portal.getCIPCheck',
  'portal.orderCards',
]);

/** Identifiers of this sandbox are UUIDs, so anything else is a bad request, not just unknown. */
const isIdentifier = (text: string | undefined) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text ?? '');

function v3Status({ kind, name, request }: Refusal): number {
  if (kind === 'token') return 401;
  if (kind === 'unknown' && name === 'identifier' && !isIdentifier(request.params.identifier)) return 400;
  if (kind === 'unknown' || kind === 'route') return 404;
  if (kind === 'foreign' && name === 'identifier') return 404;
  if (kind === 'state') return 409;
  if (kind === 'media-type') return 415;
  return 400;
}

function portalStatus({ kind, operation }: Refusal): number {
  if (kind === 'route') return 404;
  if (kind === 'entitlement') return 401;
  if (kind === 'session' || (kind === 'foreign' && operation === 'portal.getCustomerHierarchy')) {
    return portalWith401.has(operation) ? 401 : 400;
  }
  if (operation === 'portal.getCustomerProgramList' && (kind === 'unknown-reference' || kind === 'foreign')) return 404;
  return 400;
}

function authStatus({ kind }: Refusal): number {
  if (kind === 'route') return 404;
  return kind === 'credentials' ? 401 : 400;
}

const status: Record<InterfaceName, (refusal: Refusal) => number> = {
  auth: authStatus,
  v3: v3Status,
  portal: portalStatus,
};

/** Token endpoint: RFC 6749, section 5.2. */
function authBody({ kind, name, message }: Refusal): unknown {
  let error = 'invalid_request';
  if (kind === 'credentials') error = 'invalid_client';
  if (kind === 'list') error = name === 'scope' ? 'invalid_scope' : 'unsupported_grant_type';
  return { error, error_description: message };
}

/** The code shown: things out of reach look like things that do not exist. */
function codeOf(kind: RefusalKind): string {
  return kind === 'foreign' ? 'unknown' : kind;
}

function v3Body({ kind, name, message }: Refusal): unknown {
  const error: Record<string, string> = { errorCode: codeOf(kind), errorMessage: message };
  if (aboutField.has(kind)) error.fieldName = name;
  return [error];
}

function portalBody(refusal: Refusal, code: number): unknown {
  const body: Record<string, unknown> = { code, errorCode: codeOf(refusal.kind), errorMessage: refusal.message };
  if (aboutField.has(refusal.kind)) body.fieldName = refusal.name;
  return body;
}

/** RFC 9110, section 11.6.1: a 401 carries a challenge. RFC 6750, section 3: it names the error if a token was sent. */
function challenge(target: InterfaceName, { kind, name }: Refusal): string {
  if (target === 'auth') return 'Basic realm="token"';
  if (target === 'portal') return 'Session realm="portal"';
  return kind === 'token' && name !== 'missing' && name !== 'scheme'
    ? 'Bearer realm="cards", error="invalid_token"'
    : 'Bearer realm="cards"';
}

/** The answer to a refused call. */
export function refusalAnswer(target: InterfaceName, refusal: Refusal, rules: Rules): Answer {
  const soft = softRefusal(refusal, rules);
  if (soft) return soft;
  const code = rules.refusalStatus(refusal, status[target](refusal));
  const headers: Record<string, string> = {};
  if (target === 'auth') {
    headers['cache-control'] = 'no-store';
    headers.pragma = 'no-cache';
  }
  if (code === 401) headers['www-authenticate'] = challenge(target, refusal);
  let body: unknown;
  if (target === 'auth') body = authBody(refusal);
  else body = target === 'v3' ? v3Body(refusal) : portalBody(refusal, code);
  return {
    status: code,
    headers: rules.refusalHeaders(refusal, headers),
    body: rules.refusalBody(refusal, body),
  };
}
