/** An end-to-end test as teams have them: it logs in, lists, changes, asks for what must be refused, and logs out. It asserts nothing, so that all of it is sent. */
import { OWN_RESOLUTION_MS, type Recorded } from '../../witness/recorded.ts';
import { NOWHERE, type Unserved } from '../selfcheck/direct.ts';

/** Time between the requests of such a test, and that of an answer, in milliseconds. */
const PACE_MS = 200;
const ANSWERED_AFTER_MS = 40;
/** Length of its pages. */
const PAGE = 40;

type Json = Record<string, unknown>;
/** What is sent beside method and address. */
interface Content {
  query?: Record<string, unknown>;
  json?: unknown;
  form?: Record<string, string>;
  token?: string;
}

/** A client that keeps what it sends, as a recorder would. */
class RecordedClient {
  readonly recorded: Recorded[] = [];
  readonly #target: Unserved;
  /** When the next request is sent, as it is recorded; undefined for the time that it is. */
  #now: number | undefined;

  constructor(target: Unserved, startedAt: number | undefined) {
    this.#target = target;
    this.#now = startedAt;
  }

  /** Sends a request. @returns the JSON body of the answer; an empty object where there is none */
  async send(method: string, address: string, { query = {}, json, form, token }: Content = {}): Promise<Json> {
    const given = Object.entries(query).map(([name, value]) => [name, String(value)]);
    const url = given.length > 0 ? `${address}?${new URLSearchParams(given)}` : address;
    const text = form ? String(new URLSearchParams(form)) : json === undefined ? undefined : JSON.stringify(json);
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(text !== undefined && {
        'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
        'content-length': String(Buffer.byteLength(text)),
      }),
    };
    const raw = Buffer.from(text ?? '');
    const sentAt = timeNow();
    const answer = await this.#target.respond({ method, url: url.slice(NOWHERE.length), headers, raw });
    const inLowerCase = Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value]);
    this.recorded.push({
      recording: 'an end-to-end test',
      method,
      url,
      request: { headers, ...(text !== undefined && { body: raw }) },
      response: { status: answer.status, headers: Object.fromEntries(inLowerCase), body: answer.bytes },
      ...(this.#now === undefined
        ? { sentAt, durationMs: timeNow() - sentAt, resolutionMs: OWN_RESOLUTION_MS }
        : { sentAt: this.#now, durationMs: ANSWERED_AFTER_MS }),
    });
    if (this.#now !== undefined) this.#now += PACE_MS;
    try {
      return JSON.parse(answer.bytes.toString());
    } catch {
      return {};
    }
  }
}

const timeNow = () => performance.timeOrigin + performance.now();

/** A target without a connection, the `TARGET_*` variables that lead to it, and the content of its fixtures file. */
export interface Tested {
  target: Unserved;
  environment: Record<string, string>;
  // The test takes from it what it needs, as teams do.
  // biome-ignore lint/suspicious/noExplicitAny: any member of it
  fixtures: any;
}

/** Everything that a part of the test needs. */
type Part = Omit<Tested, 'target'> & { client: RecordedClient };

/**
 * Runs the test once.
 * @param startedAt milliseconds since the epoch at which a test of ordinary pace begins; undefined for one that is as fast as it can be
 * @returns what went over the wire
 */
export async function runOrdinaryTest({ target, ...given }: Tested, startedAt?: number): Promise<Recorded[]> {
  const client = new RecordedClient(target, startedAt);
  const part: Part = { client, ...given };
  const token = await logIn(part);
  await lookAround(part, token);
  await payAndSuspend(part, token);
  await lookUp(part, token);
  await usePortal(part);
  return client.recorded;
}

async function logIn({ client, environment }: Part): Promise<string> {
  const address = `${environment.TARGET_AUTH_URL}/${environment.TARGET_TENANT_PATH}/B2C_1_signupandsignin/oauth2/v2.0/token`;
  const form = {
    grant_type: 'client_credentials',
    client_id: environment.TARGET_CLIENT_ID!,
    client_secret: environment.TARGET_CLIENT_SECRET!,
    scope: environment.TARGET_SCOPE!,
  };
  return String((await client.send('POST', address, { form })).access_token);
}

/** Lists customers and cards. */
async function lookAround({ client, environment, fixtures }: Part, token: string): Promise<void> {
  const customers = `${environment.TARGET_BASE_URL}/users/customers`;
  const cards = `${environment.TARGET_BASE_URL}/cards/cards`;
  const list = (address: string, query: Json = {}) => client.send('GET', address, { token, query });
  for (const max of [50, PAGE]) {
    let next: unknown;
    do {
      const page = await list(customers, { max, ...(next !== undefined && { token: next }) });
      next = page.continuationToken || undefined;
    } while (next !== undefined);
  }
  await list(`${customers}/${fixtures.users.customerIdentifier}`);
  await list(customers, { name: fixtures.users.nameFragment });
  await list(customers, { max: 'abc' });
  const { results = [] } = (await list(cards)) as { results?: Json[] };
  await list(cards, { customerIdentifier: results.at(-1)?.customerIdentifier });
}

/** Pays from one card to another and back, then suspends the payer for a while. */
async function payAndSuspend({ client, environment, fixtures }: Part, token: string): Promise<void> {
  const [from, to] = fixtures.cards.active as [string, string];
  const on = (card: string, path: string) => `${environment.TARGET_BASE_URL}/cards/cards/${card}${path}`;
  const read = (card: string, path = '') => client.send('GET', on(card, path), { token });
  const balances = async () => {
    for (const card of [from, to]) await read(card, '/balance');
  };
  const pay = (payer: string, targetCardIdentifier: string, amount: number) =>
    client.send('POST', on(payer, '/transfer'), { token, json: { targetCardIdentifier, amount } });
  await read(from);
  await balances();
  await pay(from, to, 5);
  await balances();
  await pay(to, from, 5);
  await balances();
  await client.send('POST', on(from, '/suspend'), { token });
  await read(from, '/status');
  await read(from);
  await pay(from, to, 2);
  await balances();
  await client.send('POST', on(from, '/unsuspend'), { token });
  await read(from, '/status');
  await read(from);
}

/** Looks cards up, and asks for what must be refused. */
async function lookUp({ client, environment, fixtures }: Part, token: string): Promise<void> {
  const base = `${environment.TARGET_BASE_URL}/cards/cards`;
  const { byProxy, withRelated, foreign, active } = fixtures.cards;
  const { proxyNumber, programIdentifier, isDigital } = byProxy;
  const get = (address: string, query: Json = {}) => client.send('GET', `${base}/${address}`, { token, query });
  const temporary = await get(`${active[0]}/token`);
  await get(String(temporary.token), { byToken: true });
  const found = await get(proxyNumber, { byProxy: true, programIdentifier, isDigital });
  await get(String(found.identifier));
  await get(`${withRelated}/related`);
  await get('no-such-card');
  await get(`${foreign[0]}/balance`);
  await client.send('GET', `${base}/${active[0]}`);
}

/** Logs in to the portal, asks for customers, programs, a check and an order, and logs out. */
async function usePortal({ client, environment, fixtures }: Part): Promise<void> {
  const of = (operation: string) => `${environment.TARGET_PORTAL_URL}/_ah/api/${operation}`;
  const { customerId, programs, cip } = fixtures.portal;
  const credentials = {
    loginID: environment.TARGET_PORTAL_LOGIN_ID,
    password: environment.TARGET_PORTAL_PASSWORD,
  };
  await client.send('POST', of('login'), { query: { loginID: credentials.loginID } });
  const { sessionId } = await client.send('POST', of('login'), { query: credentials });
  const get = (operation: string, query: Json = {}) =>
    client.send('GET', of(operation), { query: { sessionId, ...query } });
  const post = (operation: string, json: unknown) => client.send('POST', of(operation), { query: { sessionId }, json });
  await get('getCustomerList');
  await get('getCustomerHierarchy', { customerId });
  await get('getCustomerProgramList', { customerId, showAutoCreated: true, showBranded: true });
  await get('getCustomerProgramList', { customerId, showAutoCreated: true });
  await get('getShippingMethods');
  await post('getCIPCheck', cip.pass);
  await post('getCIPCheck', { ...cip.pass, zip: 999_999 });
  const order = orderOn(programs.personalized, customerId);
  await post('orderCards', order);
  await post('orderCards', order);
  await post('orderCards', { ...order, externalIdentifier: 'e2e-2', orderProdType: undefined });
  await client.send('POST', of('logout'), { query: { sessionId } });
  await get('getCustomerList');
}

/** An order on a program of the fixtures file, which may give a whole one. */
const orderOn = (program: number | { custProgId: number; order?: Json }, customerId: number): Json => ({
  ...(typeof program === 'object' && program.order ? program.order : PLAIN_ORDER),
  custProgId: typeof program === 'object' ? program.custProgId : program,
  customerId,
  externalIdentifier: 'e2e-1',
});

/** The members of an order that any program takes. */
export const PLAIN_ORDER = {
  address1: '1 Example Street',
  address2: 'Floor 2',
  attn: 'Ada Example',
  city: 'Springfield',
  state: 'IL',
  zip: '62701',
  shippingFee: 4.5,
  cardFee: 2,
  orderDetails: [{ firstName: 'Ada', lastName: 'Example', phone: '555-0100', ssn: '123456789' }],
  orderProdType: 'Personalized Payroll Order',
};
