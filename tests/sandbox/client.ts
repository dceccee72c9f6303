import type { Sandbox, SandboxOptions } from '../../sandbox/index.ts';
import { sandboxFor } from '../tools/sandboxes.ts';

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
}

export interface Client {
  sandbox: Sandbox;
  // biome-ignore lint/suspicious/noExplicitAny: the fixtures file is read by name
  fixtures: any;
  /** The access token of `v3`. */
  token: string;
  /** The session of `portal`. */
  sessionId: string;
  /** A call below {base_url} with the token; a body that is no text is sent as JSON. */
  v3(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** A call of a portal operation with the session; a query member `undefined` is left out. */
  portal(method: string, name: string, query?: Record<string, unknown>, body?: unknown): Promise<Reply>;
}

async function request(url: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(url, init);
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status: response.status, headers: response.headers, text, body };
}

function withBody(method: string, body: unknown, headers: Record<string, string>): RequestInit {
  if (body === undefined) return { method, headers };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { method, body: text, headers: { 'content-type': 'application/json', ...headers } };
}

/** A sandbox of the test's own, signed in to; it is closed when the test ends. */
export async function start(options: SandboxOptions = {}): Promise<Client> {
  const sandbox = await sandboxFor(options);
  return signedIn(sandbox);
}

/** A client of a sandbox, with a token and a session. */
export async function signedIn(sandbox: Sandbox): Promise<Client> {
  const env = (name: string) => sandbox.environment[name] ?? '';
  const client: Client = {
    sandbox,
    fixtures: sandbox.fixtures,
    token: '',
    sessionId: '',
    v3: (method, path, body, headers = {}) =>
      request(
        env('TARGET_BASE_URL') + path,
        withBody(method, body, { authorization: `Bearer ${client.token}`, ...headers }),
      ),
    portal: (method, name, query = {}, body = undefined) => {
      const sent = Object.entries({ sessionId: client.sessionId, ...query }).filter(([, value]) => value !== undefined);
      const search = new URLSearchParams(sent.map(([key, value]) => [key, String(value)]));
      return request(`${env('TARGET_PORTAL_URL')}/_ah/api/${name}?${search}`, withBody(method, body, {}));
    },
  };
  const form = {
    grant_type: 'client_credentials',
    client_id: env('TARGET_CLIENT_ID'),
    client_secret: env('TARGET_CLIENT_SECRET'),
    scope: env('TARGET_SCOPE'),
  };
  const path = `/${env('TARGET_TENANT_PATH')}/B2C_1_signupandsignin/oauth2/v2.0/token`;
  const body = new URLSearchParams(form);
  client.token = (await request(env('TARGET_AUTH_URL') + path, { method: 'POST', body })).body?.access_token;
  const login = { loginID: env('TARGET_PORTAL_LOGIN_ID'), password: env('TARGET_PORTAL_PASSWORD') };
  client.sessionId = (await client.portal('POST', 'login', { sessionId: undefined, ...login })).body?.sessionId;
  return client;
}
