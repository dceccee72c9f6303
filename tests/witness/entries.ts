/** Entries of HTTP Archives, as a recorder writes them. */
import type { Entry } from 'har-format';

/** A request and its answer, in few words. */
export interface Said {
  /** Seconds after the first. */
  at?: number;
  request: string;
  headers?: Record<string, string>;
  body?: unknown;
  form?: Record<string, string>;
  status?: number;
  answer?: unknown;
  /** Members of the entry, and of the content of its answer, besides. */
  more?: object;
  content?: object;
}

export const BASE = 'https://cards.example';
const BEGIN = Date.UTC(2026, 4, 10, 12);

const pairs = (headers: Record<string, string | undefined>) =>
  Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));

/** An entry; `request` is a method and a path, or address. */
export function entry({ at = 0, request, headers = {}, body, form, status = 200, answer, more, content }: Said): Entry {
  const [method = '', path = ''] = request.split(' ');
  const sent = form ? `${new URLSearchParams(form)}` : JSON.stringify(body);
  const text = JSON.stringify(answer);
  const json = 'application/json';
  const mimeType = form ? 'application/x-www-form-urlencoded' : json;
  return {
    startedDateTime: new Date(BEGIN + at * 1000).toISOString(),
    time: 20,
    request: {
      method,
      url: /^\w+:/.test(path) ? path : BASE + path,
      headers: pairs({ 'Content-Type': sent && mimeType, ...headers }),
      ...(sent && { postData: { mimeType, text: sent } }),
    },
    response: {
      status,
      headers: pairs({ 'Content-Type': text && json }),
      content: { size: text?.length ?? 0, mimeType: json, ...(text && { text }), ...content },
    },
    ...more,
  } as unknown as Entry;
}

export const TOKEN_PATH = '/tenant/B2C_1_signupandsignin/oauth2/v2.0/token';

/** A token that is issued. */
export const issued = (at: number, access_token: string): Entry =>
  entry({
    at,
    request: `POST ${TOKEN_PATH}`,
    form: { grant_type: 'client_credentials', client_id: 'a', client_secret: 'hush-hush-1' },
    answer: { access_token, token_type: 'Bearer', expires_in: 3600 },
  });

/** A listing of cards with a token. */
export const cards = (at: number, token: string, status = 200): Entry => {
  const headers = { Authorization: `Bearer ${token}` };
  return entry({
    at,
    request: 'GET /cards/cards?max=5',
    headers,
    status,
    answer: status === 200 ? { results: [] } : [],
  });
};

/** A login, a reading and a logout on the portal. */
export const login = (at: number, sessionId: string, loginID = 'ada'): Entry => {
  const answer = { userId: 1, loginId: loginID, sessionId, customerId: 7 };
  return entry({ at, request: `POST /_ah/api/login?loginID=${loginID}&password=hush-hush-2`, answer });
};
export const logout = (at: number, sessionId: string, status = 200): Entry =>
  entry({ at, request: `POST /_ah/api/logout?sessionId=${sessionId}`, status });
export const read = (at: number, sessionId: string, status = 200): Entry => {
  const request = `GET /_ah/api/getShippingMethods${sessionId && `?sessionId=${sessionId}`}`;
  return entry({ at, request, status, answer: status === 200 ? { items: [] } : { code: status } });
};
