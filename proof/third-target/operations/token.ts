import type { Answer, Call, World } from '../core/model.ts';

export function issue(world: World, call: Call): Answer {
  const form = new URLSearchParams(call.text);
  const grant = form.get('grant_type');
  if (grant !== 'client_credentials') return world.rules.tokenError(400, 'unsupported_grant_type');
  const client = world.rules.clientOf(form.get('client_id') ?? '', form.get('client_secret') ?? '');
  if (!client) return world.rules.tokenError(401, 'invalid_client');
  const claims = world.rules.newClaims(client);
  return {
    status: 200,
    headers: { 'cache-control': 'no-store', pragma: 'no-cache' },
    body: world.rules.tokenAnswer(claims, world.rules.writeToken(claims)),
  };
}

export function authorize(): Answer {
  return { status: 400, headers: { 'content-type': 'text/plain' }, raw: 'This flow needs a person and a browser.' };
}
