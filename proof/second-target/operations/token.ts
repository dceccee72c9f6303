import { ok, type Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';

/** POST token: the client's credentials, or an authorization code with them, for a token of sixty minutes. */
export function issue(x: Exchange): () => Reply {
  const { world, choices } = x;
  const form = new URLSearchParams(x.text);
  const grant = form.get('grant_type') ?? 'client_credentials';
  x.refuseIf(x.path.tenant !== world.tenant, 'bad-client', 'tenant');
  x.refuseIf(!['client_credentials', 'authorization_code'].includes(grant), 'bad-grant', 'grant_type');
  x.refuseIf(form.get('client_id') !== world.client.id, 'bad-client', 'client_id');
  x.refuseIf(!choices.isSecret(form.get('client_secret') ?? '', world.client.secret, x), 'bad-client', 'client_secret');
  x.refuseIf((form.get('scope') ?? world.scope) !== world.scope, 'bad-scope', 'scope');
  if (grant === 'authorization_code') {
    const at = world.codes.indexOf(form.get('code') ?? '');
    x.refuseIf(at < 0, 'bad-grant', 'code');
    world.codes.splice(at, 1);
  }
  return () => {
    const n = world.next('token');
    const issued = world.now();
    const lifetime = choices.tokenLifetime(n, world);
    world.tokens.push({ value: choices.accessToken(n), issued, expires: issued + lifetime * 1000 });
    return ok({
      access_token: choices.accessToken(n),
      token_type: 'bearer',
      not_before: Math.floor(issued / 1000),
      expires_in: 3600,
      expires_on: Math.floor(issued / 1000) + 3600,
      resource: 'urn:second:cards',
      id_hint: null,
    });
  };
}

/** GET authorize: grants the one scope to whoever asks, by a code that is used once. */
export function authorize(x: Exchange): () => Reply {
  x.refuseIf(x.query.get('client_id') !== x.world.client.id, 'bad-client', 'client_id');
  const back = x.query.get('redirect_uri');
  return () => {
    const code = `code~${x.world.next('code')}`;
    x.world.codes.push(code);
    if (!back || !URL.canParse(back)) return ok({ code });
    const location = new URL(back);
    location.searchParams.set('code', code);
    location.searchParams.set('state', x.query.get('state') ?? '');
    return { status: 303, headers: { Location: location.href } };
  };
}
