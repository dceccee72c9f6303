/** Validates the bearer token of a users or cards call. Source: "Authentication"; RFC 6750. */
import type { Call } from '../call.ts';

/** @throws Refused of kind `token` when there is no valid token */
export function authenticate(call: Call): void {
  const { rules, backend } = call;
  const header = call.request.headers.authorization;
  if (typeof header !== 'string' || header === '') {
    call.check(false, 'token', 'missing', 'An access token is required.');
    return;
  }
  const space = header.indexOf(' ');
  const scheme = space < 0 ? header : header.slice(0, space);
  const text = space < 0 ? '' : header.slice(space + 1).trim();
  call.check(rules.acceptsScheme(scheme, call.id), 'token', 'scheme', 'The scheme is Bearer.');
  const found = backend.tokens.recognise(text, rules.tokenLifetimeSeconds(call.id), call.nowMs);
  if (found.token) call.tokenAgeSeconds = (call.nowMs - found.token.issuedAtMs) / 1000;
  call.check(found.as === 'live', 'token', found.as, `The access token is ${found.as}.`);
}
