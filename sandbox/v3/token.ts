/**
 * The token endpoint with the clientCredentials flow. Source: "Token" and "Authentication"; errors: RFC 6749, section
 * 5.2.
 */
import type { Call } from '../call.ts';
import { RawText } from '../exchange.ts';

/** Client id and secret from HTTP Basic (RFC 6749, section 2.3.1); `undefined` for another kind of header. */
function basicCredentials(header: unknown): { id: string; secret: string } | undefined {
  const encoded = typeof header === 'string' ? /^basic +(\S+)$/i.exec(header)?.[1] : undefined;
  if (encoded === undefined) return undefined;
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(/:(.*)/s);
  try {
    return { id: decodeURIComponent(id), secret: decodeURIComponent(secret) };
  } catch {
    return { id, secret };
  }
}

/** POST …/token */
export function issueToken(call: Call): unknown {
  const { rules, backend } = call;
  const { clientId, clientSecret, scope } = backend.credentials;
  const form = call.request.form;
  call.check(form !== undefined, 'media-type', 'body', 'The request is form-encoded.');
  const sent = (name: string) => form?.[name] || undefined;
  const grantType = sent('grant_type');
  if (grantType === undefined) {
    if (rules.requires(call.id, 'grant_type', true, call.request)) {
      call.check(false, 'missing-member', 'grant_type', 'grant_type is required.');
    }
  } else {
    call.check(grantType === 'client_credentials', 'list', 'grant_type', 'grant_type is client_credentials.');
  }
  const basic = basicCredentials(call.request.headers.authorization);
  const id = basic?.id ?? sent('client_id');
  const secret = basic?.secret ?? sent('client_secret');
  call.check(id === clientId, 'credentials', 'client_id', 'The client is not known.');
  call.check(secret === clientSecret, 'credentials', 'client_secret', 'The client is not authenticated.');
  const asked = sent('scope');
  if (asked === undefined) {
    if (rules.requires(call.id, 'scope', false, call.request))
      call.check(false, 'missing-member', 'scope', 'scope is required.');
  } else {
    call.check(asked === scope, 'list', 'scope', 'The scope is not known.');
  }

  const token = backend.tokens.issue(call.nowMs);
  const lifetime = rules.tokenLifetimeSeconds(call.id);
  const issuedAt = Math.floor(token.issuedAtMs / 1000);
  const remaining = lifetime - Math.round((call.nowMs - token.issuedAtMs) / 1000);
  call.headers['cache-control'] = 'no-store';
  call.headers.pragma = 'no-cache';
  return {
    access_token: token.text,
    token_type: rules.tokenType,
    not_before: rules.notBefore(issuedAt),
    expires_in: rules.expiresIn(remaining),
    expires_on: rules.expiresOn(issuedAt + lifetime),
    resource: scope.replace(/\/\.default$/, ''),
  };
}

/** GET …/authorize, listed for the flow authorizationCode: a sign-in page for people. */
export function authorize(call: Call): unknown {
  const clientId = call.text('client_id', true);
  call.check(clientId === call.backend.credentials.clientId, 'credentials', 'client_id', 'The client is not known.');
  call.headers['content-type'] = 'text/html; charset=utf-8';
  return new RawText('<!doctype html><title>Sign in</title><form method="post"><input name="user"></form>\n');
}
