/** Sound implementations: how servers differ on the wire, in their data, and in what they say beyond the documents. */
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { operation as operationById } from '../../contracts/operations.ts';
import { type Answer, type AnswerContext, type AnswerFilter, RawText } from '../../sandbox/exchange.ts';
import { type Body, refusing, replacing } from '../changed-sandbox.ts';
import { answered, configured, implemented, ruled, setting, type Variant } from './variant.ts';

/** A filter of every answer that has a JSON body. */
const everyBody =
  (change: (body: unknown, answer: Answer, context: AnswerContext) => unknown): AnswerFilter =>
  (answer, context) => {
    const { body } = answer;
    if (body !== undefined && !Buffer.isBuffer(body) && !(body instanceof RawText))
      answer.body = change(body, answer, context);
    return undefined;
  };

/** A filter of every success whose shape the documents show. */
const everySuccess = (change: (shape: z.ZodType, body: unknown) => unknown): AnswerFilter =>
  everyBody((body, { status }, { operation }) => {
    const shape = operationById(operation).success?.body;
    return status < 300 && shape instanceof z.ZodType ? change(shape, body) : body;
  });

/** Every text of a JSON value, changed. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)]));
}

/** What a shape requires, and what makes a listing or an outcome one: nothing else. */
const INDISPENSABLE =
  /^(results|items|identifier|customerId|rowId|continuationToken|data|summaryResult|diffQuestionList|questionList)$/;

function minimal(schema: z.ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return minimal(schema.unwrap() as z.ZodType, value);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => minimal(schema.element as z.ZodType, item));
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(schema.shape)
      .filter(
        ([name, of]) => Object.hasOwn(value, name) && (!(of instanceof z.ZodOptional) || INDISPENSABLE.test(name)),
      )
      .map(([name, of]) => [name, minimal(of as z.ZodType, (value as Record<string, unknown>)[name])]),
  );
}

const FEW_OPERATIONS = ['token', 'cards.get', 'cards.getStatus', 'cards.suspend', 'portal.login', 'portal.getCIPCheck'];

export const generalVariants: readonly Variant[] = [
  implemented('as the sandbox is', {}, { served: true }),
  answered('answers in chunks of a few bytes', (answer) => ({ ...answer, transport: { chunkBytes: 7 } }), {
    served: true,
  }),
  answered(
    'compressed bodies',
    everyBody((body, answer) => {
      answer.headers = { 'content-type': 'application/json', ...answer.headers, 'content-encoding': 'gzip' };
      return gzipSync(JSON.stringify(body));
    }),
  ),
  implemented('identifiers that need percent-encoding', {
    identifier: (uuid) => `a/b c+d%é?#&${uuid.slice(0, 8)}${uuid.slice(-8)}`,
  }),
  ruled('JSON Web Tokens', { tokenFormat: 'jwt' }),
  ruled('the same token while it lives', { tokenReuse: { sameWhileSecondsRemain: 300 } }),
  ruled('unknown and foreign answered with 403', {
    refusalStatus: ({ kind }, byDefault) => (kind === 'unknown' || kind === 'foreign' ? 403 : byDefault),
  }),
  answered('refusals about cards give help under the names of members of a card', (answer, { operation, request }) => {
    if (!operation.startsWith('cards.') || ![401, 403, 404].includes(answer.status)) return undefined;
    const help = {
      deepLink: 'https://help.example.com/cards',
      tinyUrl: 'https://help.example.com',
      proxyNumber: 'n/a',
    };
    const { identifier = '' } = request.params;
    return { ...answer, body: { ...help, identifier, customFields: { customField1: 'Support' }, balance: null } };
  }),
  ruled('expiry in milliseconds', { expiresOn: (seconds) => seconds * 1000, notBefore: (seconds) => seconds * 1000 }),
  implemented(
    'a token without a word of its life',
    replacing('token.issue', ({ body }) => ({ body: { access_token: (body as Body).access_token } })),
  ),
  ruled('a clock that is two minutes ahead', { clockSkewSeconds: 120 }),
  answered('minimal bodies', everySuccess(minimal)),
  answered(
    'nulls for absent members',
    everySuccess((shape, body) => {
      if (!(shape instanceof z.ZodObject) || typeof body !== 'object' || body === null) return body;
      const absent = Object.entries(shape.shape).filter(
        ([name, of]) => of instanceof z.ZodOptional && !Object.hasOwn(body, name),
      );
      return { ...body, ...Object.fromEntries(absent.map(([name]) => [name, null])) };
    }),
  ),
  answered(
    'a byte order mark, and JSON called text',
    everyBody((body, answer) => {
      answer.headers['content-type'] = 'text/plain';
      return new RawText(`\uFEFF${JSON.stringify(body)}`);
    }),
  ),
  answered(
    'date-times without offset',
    everyBody((body) => mapTexts(body, (text) => text.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z$/, '$1'))),
  ),
  ruled('an empty page before the end', {
    pageWindow: ({ from, number }, byDefault) => (number === 2 ? { from, to: from, next: from } : byDefault),
  }),
  ruled('a null continuation token at the end', { continuationEnd: 'null' }),
  ruled('a cards listing that continues', { cardsContinue: true }),
  implemented('a small target with minimal bodies', {
    customers: 5,
    cards: 4,
    portalCustomers: 3,
    pools: { active: 3, disposable: 3, unused: 2, fraud: 2, foreign: 2 },
    middleware: [everySuccess(minimal)],
  }),
  configured('fixtures that are partly spent', ({ fixtures }) => {
    const { active = [], disposable = [], unused = [], foreign = [] } = fixtures.cards ?? {};
    fixtures.cards = {
      ...fixtures.cards,
      active: [...unused.slice(0, 2), ...active].slice(0, -1),
      disposable: [foreign[0]!, ...unused.slice(2, 3), ...disposable],
      unused: [active.at(-1)!, ...unused.slice(3)],
    };
  }),
  configured('no fixtures at all', (configuration) => {
    configuration.fixtures = {};
  }),
  ruled('one session per user', { singleSessionPerUser: true }),
  ruled('the same session while it is active', { sessionId: 'same-while-active' }),
  ruled('logout ends all sessions of the user', { logoutEndsAll: true }),
  ruled('the portal answers 500 to what it refuses anyway', {
    refusalStatus: ({ kind, operation }, byDefault) =>
      operation.startsWith('portal.') && ['unknown-reference', 'duplicate', 'program-option', 'product'].includes(kind)
        ? 500
        : byDefault,
  }),
  ruled('records that lag until balance or status is read', {
    recordFollows: (operation, member) => operation === (member === 'status' ? 'cards.getStatus' : 'cards.getBalance'),
  }),
  ruled('effects that take 300 ms to show', { effectDelayMs: () => 300 }, { run: { settleMs: 800 } }),
  ruled('429 with Retry-After on some requests', {
    unavailable: ({ callNumber }) =>
      Math.imul(callNumber, 0x9e3779b1) >>> 0 < 0x30000000
        ? { status: 429, headers: { 'retry-after': '0' }, body: undefined }
        : undefined,
  }),
  ruled('duplicates answered as the first', { duplicateOrders: 'repeat', duplicateLoads: 'repeat' }),
  ruled('transfers refused by 200 with an errorCode', { transferRefusalStyle: () => '200-with-error-code' }),
  ruled('a transfer from a card that does not exist refused by an answer of 200', {
    transferRefusalStyle: () => '200-with-error-code',
    ...refusing(
      { kind: 'mismatch', name: 'source' },
      ({ operation, params }, { cardById }) => operation === 'cards.transfer' && !cardById.has(params.identifier ?? ''),
    ),
  }),
  ruled('transfers refused by 200 with a status, and a fee of a cent', {
    transferRefusalStyle: () => '200-with-failed-status',
    transferDebit: (cents) => (cents > 0 ? cents + 1 : cents),
  }),
  ruled('other names of states', {
    statusName: (state) => (state === 'active' ? 'Active' : `state ${state.length}`),
    statusNumber: (state) => -state.length / 2,
  }),
  configured('only the token, users and cards interface', setting({ target: { portalUrl: undefined } })),
  configured('only the portal', setting({ target: { authUrl: undefined, baseUrl: undefined } })),
  ...(['safe', 'reversible'] as const).map((risk) => configured(`a run at risk ${risk}`, setting({ run: { risk } }))),
  configured('a target that claims a few operations', setting({ target: { operations: FEW_OPERATIONS } })),
  configured('no test clock', setting({ target: { testClockUrl: undefined } })),
];
