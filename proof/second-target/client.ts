import type { SecondTarget } from './index.ts';
import type { JsonObject } from './json.ts';

/** An answer; `json` is the parsed body, an empty object if there was none. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  json: any;
}

/** A plain client of one target. */
export class Client {
  readonly target: SecondTarget;
  token = '';
  session = '';

  constructor(target: SecondTarget) {
    this.target = target;
  }

  /** Sends one request. */
  async send(method: string, url: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> {
    const sent = new Headers(headers);
    if (body !== undefined && !sent.has('content-type')) sent.set('content-type', 'application/json');
    const response = await fetch(url, { method, headers: sent, body, redirect: 'manual' });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: text ? JSON.parse(text) : {} };
  }

  /** Requests a token. @param form replaces the usual members */
  async issue(form: Record<string, string> = {}): Promise<Answer> {
    const { TARGET_AUTH_URL, TARGET_TENANT_PATH, ...env } = this.target.env;
    const [client_id, client_secret] = [env.TARGET_CLIENT_ID!, env.TARGET_CLIENT_SECRET!];
    const usual = { grant_type: 'client_credentials', client_id, client_secret, scope: env.TARGET_SCOPE! };
    const url = `${TARGET_AUTH_URL}/${TARGET_TENANT_PATH}/B2C_1_signupandsignin/oauth2/v2.0/token`;
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.send('POST', url, type, new URLSearchParams({ ...usual, ...form }).toString());
  }

  /** Sends a request of the users and cards interface, such as `GET cards/cards/X`. */
  async v3(line: string, body?: JsonObject, token = this.token): Promise<Answer> {
    const [method, path] = line.split(' ') as [string, string];
    const url = `${this.target.env.TARGET_BASE_URL}/${path}`;
    return this.send(method, url, { authorization: `Bearer ${token}` }, body && JSON.stringify(body));
  }

  /** Sends a request about one card, such as `POST suspend`. */
  async card(line: string, identifier: string, body?: JsonObject): Promise<Answer> {
    const [method, name] = line.split(' ') as [string, string | undefined];
    return this.v3(`${method} cards/cards/${encodeURIComponent(identifier)}${name ? `/${name}` : ''}`, body);
  }

  /** Sends a request of the portal, with the session unless one is given. */
  async portal(line: string, query: Record<string, string> = {}, body?: JsonObject): Promise<Answer> {
    const [method, name] = line.split(' ') as [string, string];
    const asked = new URLSearchParams({ sessionId: this.session, ...query });
    const url = `${this.target.env.TARGET_PORTAL_URL}/_ah/api/${name}?${asked}`;
    return this.send(method, url, {}, body && JSON.stringify(body));
  }
}

/** Makes a client with a token and a session. */
export async function admitted(target: SecondTarget): Promise<Client> {
  const client = new Client(target);
  client.token = (await client.issue()).json.access_token ?? '';
  const { TARGET_PORTAL_LOGIN_ID: loginID, TARGET_PORTAL_PASSWORD: password } = target.env;
  client.session = (await client.portal('POST login', { loginID: loginID!, password: password! })).json.sessionId ?? '';
  return client;
}
