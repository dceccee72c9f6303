import type { Sandbox, SandboxOptions } from '../../sandbox/index.ts';
import { sandboxFor } from '../tools/sandboxes.ts';

/** An answer, with its body where that is JSON. */
async function request(url: string, init: RequestInit) {
  const answer = await fetch(url, init);
  const read = { status: answer.status, headers: answer.headers, text: await answer.text() };
  try {
    return { ...read, body: JSON.parse(read.text) };
  } catch {
    return { ...read, body: undefined };
  }
}
type Reply = ReturnType<typeof request>;

export type Client = Awaited<ReturnType<typeof signedIn>>;

/** A sandbox of the test's own, signed in to; it is closed when the test ends. */
export const start = async (options: SandboxOptions = {}): Promise<Client> => signedIn(await sandboxFor(options));

function withBody(method: string, body: unknown, headers: Record<string, string> = {}): RequestInit {
  if (body === undefined) return { method, headers };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { method, body: text, headers: { 'content-type': 'application/json', ...headers } };
}

/** A client of a sandbox, with a token and a session. */
export async function signedIn(sandbox: Sandbox) {
  const env = (name: string) => sandbox.environment[name] ?? '';
  const client = {
    sandbox,
    fixtures: JSON.parse(JSON.stringify(sandbox.fixtures)),
    /** The access token of `v3`, and the session of `portal`. */
    token: '',
    sessionId: '',
    /** A call below {base_url} with the token; a body that is no text is sent as JSON. */
    v3(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Reply {
      const authorization = `Bearer ${client.token}`;
      return request(env('TARGET_BASE_URL') + path, withBody(method, body, { authorization, ...headers }));
    },
    /** A call of a portal operation with the session; a query member `undefined` is left out. */
    portal(method: string, name: string, query: Record<string, unknown> = {}, body?: unknown): Reply {
      const sent = Object.entries({ sessionId: client.sessionId, ...query }).filter(([, value]) => value !== undefined);
      const search = new URLSearchParams(sent.map(([key, value]) => [key, String(value)]));
      return request(`${env('TARGET_PORTAL_URL')}/_ah/api/${name}?${search}`, withBody(method, body));
    },
  };
  const secret = { client_id: env('TARGET_CLIENT_ID'), client_secret: env('TARGET_CLIENT_SECRET') };
  const form = { grant_type: 'client_credentials', ...secret, scope: env('TARGET_SCOPE') };
  const path = `/${env('TARGET_TENANT_PATH')}/B2C_1_signupandsignin/oauth2/v2.0/token`;
  const asked = { method: 'POST', body: new URLSearchParams(form) };
  client.token = (await request(env('TARGET_AUTH_URL') + path, asked)).body?.access_token;
  const login = { loginID: env('TARGET_PORTAL_LOGIN_ID'), password: env('TARGET_PORTAL_PASSWORD') };
  client.sessionId = (await client.portal('POST', 'login', { sessionId: undefined, ...login })).body?.sessionId;
  return client;
}
