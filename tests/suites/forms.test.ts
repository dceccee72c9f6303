/**
 * Forms reach siblings (readings 11, 17, 32 and 34): for every parameter and member of the contracts, which forms of its kind a run with all
 * forms sends, or why none. The forms are recognised by the requests that the sandbox gets, not by the lists that make them.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { operation, operations } from '../../contracts/operations.ts';
import { outlineOf } from '../../helpers/contract-rules/outline.ts';
import { inOtherCase } from '../../helpers/engine/forms/caseless.ts';
import { conductAgainst } from '../../proof/selfcheck/prove.ts';
import type { AnswerFilter, SandboxRequest } from '../../sandbox/index.ts';

/** A form, by how a value differs from one that is right. */
const FORMS: Record<string, (sent: string, right: string) => boolean> = {
  continued: (sent, right) => sent.startsWith(right) && sent.trim() !== right,
  'cut short': (sent, right) => right.startsWith(sent) && sent.length > 2,
  preceded: (sent, right) => sent.endsWith(right) && sent.trim() !== right,
  'with a blank': (sent, right) => sent !== right && sent.trim() === right,
  'in another case': (sent, right) =>
    inOtherCase(sent) === right || sent === right.slice(0, 1) + inOtherCase(right.slice(1)),
  'one character changed': (sent, right) =>
    sent.length === right.length && [...sent].filter((character, at) => character !== right[at]).length === 1,
  pattern: (sent, right) => /[%_]/.test(sent) && !/[%_]/.test(right),
  quote: (sent) => sent.includes("'"),
  'beyond ASCII': (sent) => /[^ -~]/.test(sent),
  long: (sent) => sent.length > 200,
  unknown: (sent, right) => sent.length >= right.length / 2 && !sent.includes(right.slice(0, 4)),
  absent: (sent) => sent === ABSENT,
  empty: (sent) => sent === '',
  'of another form': (sent) => /^[0-9a-f-]{36}$/.test(sent),
  'a word': (sent) => /^[a-z]+$/.test(sent),
  fraction: (sent) => /\.\d/.test(sent),
  sign: (sent) => /^-\d/.test(sent),
  'followed by letters': (sent) => /^\d+[a-z]+$/.test(sent),
  'beyond 32 bits': (sent) => /^\d{10,}$/.test(sent),
  'beyond 64 bits': (sent) => /^\d{20,}$/.test(sent),
};
const ABSENT = '\0absent';

/** The forms of a token or a session. */
const CREDENTIAL = [
  'absent',
  'unknown',
  'continued',
  'preceded',
  'cut short',
  'in another case',
  'one character changed',
  'of another form',
  'a word',
] as const;

/** The forms of each kind of value. */
const KINDS = {
  identifier: ['unknown', 'continued', 'cut short', 'preceded', 'quote', 'beyond ASCII', 'long', 'pattern'],
  // Where what resembles it is tried on what would change, odd values are not tried again.
  changedIdentifier: ['unknown', 'continued', 'cut short', 'preceded'],
  filter: ['unknown', 'continued', 'preceded', 'pattern', 'quote', 'beyond ASCII', 'long', 'with a blank'],
  token: CREDENTIAL,
  session: [...CREDENTIAL, 'empty', 'quote'],
  loginId: ['absent', 'unknown', 'continued', 'cut short', 'preceded', 'quote'],
  integer: ['a word', 'fraction', 'followed by letters'],
  requiredInteger: ['absent', 'a word', 'fraction', 'followed by letters'],
  program: ['absent', 'sign', 'beyond 32 bits'],
  customer: ['absent', 'a word', 'fraction', 'sign', 'beyond 32 bits'],
  digits: ['absent', 'sign', 'beyond 32 bits', 'beyond 64 bits'],
  required: ['absent'],
  boolean: ['a word'],
} as const satisfies Record<string, readonly string[]>;
type Kind = keyof typeof KINDS;

/** Why no form of a kind is tried on a value. */
interface Untried {
  why: string;
}
const CHOSEN: Untried = { why: 'the client chooses it, and the documents set no limit: unusual values are observed' };
const LEFT_OPEN: Untried = { why: 'the documents leave open what it takes: it is observed' };
const BY_MONEY: Untried = { why: 'amounts are judged by what they move' };

/** Parameters and members by operation, place and name. A path, a header or a session of all operations stands under *. */
const TRIED: Record<string, Kind | Untried> = {
  'users.get identifier': 'identifier',
  ...Object.fromEntries(
    operations
      .filter(({ id, risk, pathParameters }) => id.startsWith('cards.') && risk === 'safe' && pathParameters.length > 0)
      .map(({ id }) => [`${id} identifier`, 'identifier'] as const),
  ),
  'cards.transfer identifier': {
    why: 'money could move from a card that resembles another: unknown ones, and one form',
  },
  '* identifier': 'changedIdentifier',
  '* authorization': 'token',
  '* sessionId': 'session',
  'users.list max': 'integer',
  'users.list token': LEFT_OPEN,
  'users.list parentIdentifier': 'filter',
  'users.list name': { why: 'a part of a name finds it: suites/v3/listings/names.ts has its forms' },
  'users.list v1Identifier': 'filter',
  'users.setPermissions canSearchLoads': LEFT_OPEN,
  'users.setPermissions canSearchSpends': LEFT_OPEN,
  'cards.list max': 'integer',
  'cards.list token': LEFT_OPEN,
  'cards.list customerIdentifier': 'filter',
  'cards.list programIdentifier': 'filter',
  'cards.list orderIdentifier': 'filter',
  'cards.list externalIdentifier': 'filter',
  'cards.get byToken': 'boolean',
  'cards.get byProxy': 'boolean',
  'cards.get isDigital': 'boolean',
  'cards.get programIdentifier': { why: 'it is judged by the card that it finds: by-proxy-wrong-program' },
  'cards.encryptForVde nonce': CHOSEN,
  'cards.reissue externalIdentifier': CHOSEN,
  'cards.transfer targetCardIdentifier': {
    why: 'money could move to a card that resembles another: unknown ones, and one form',
  },
  'cards.transfer amount': BY_MONEY,
  'cards.transfer comment': CHOSEN,
  'cards.transfer customFields': CHOSEN,
  'cards.setPin pin': CHOSEN,
  'portal.login loginID': 'loginId',
  'portal.login password': {
    why: 'one wrong password per run, by the seed (reading 32): look-alikes.test.ts has its forms',
  },
  'portal.getCustomerHierarchy customerId': 'customer',
  'portal.getCustomerProgramList customerId': 'customer',
  'portal.getCustomerProgramList showAutoCreated': 'boolean',
  'portal.getCustomerProgramList showBranded': 'boolean',
  'portal.getATMLocation latitude': 'required',
  'portal.getATMLocation longitude': 'required',
  'portal.getATMLocation pageOffset': 'requiredInteger',
  'portal.getATMLocation pageLength': 'requiredInteger',
  ...Object.fromEntries(
    ['zip', 'dobYear', 'dobMonth', 'dobDay', 'ssn', 'ssnLast4'].map(
      (name) => [`portal.getCIPCheck ${name}`, 'digits'] as const,
    ),
  ),
  'portal.orderCards custProgId': 'program',
};

/** The kind of a value, or why none is tried on it; undefined where nobody has said. */
function kindOf(id: string, name: string): Kind | Untried | undefined {
  const said = TRIED[`${id} ${name}`] ?? TRIED[`* ${name}`];
  if (said) return said;
  const { body } = operation(id);
  if (body?.requiredMembers.includes(name)) return 'required';
  return body ? CHOSEN : undefined;
}

/** Everything that a request can hold. */
const PLACES = operations
  .filter(({ listedOnly }) => !listedOnly)
  .flatMap(({ id, interface: of, pathParameters, query, body, authorisation }) => [
    ...[...pathParameters, ...query].map(({ name }) => ({ id, name })),
    ...(typeof body === 'object' && of !== 'token'
      ? [...(outlineOf(body.schema).members?.keys() ?? [])].map((name) => ({ id, name }))
      : []),
    ...(authorisation === 'bearer' ? [{ id, name: 'authorization' }] : []),
    ...(authorisation === 'session' ? [{ id, name: 'sessionId' }] : []),
  ]);

interface Sent {
  all: Set<string>;
  right: Set<string>;
}

const sent = new Map<string, Sent>();

const textOf = (value: unknown) =>
  value === undefined
    ? ABSENT
    : typeof value === 'string'
      ? value
      : JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one));

function note(id: string, { params, query, headers, body }: SandboxRequest, isRight: boolean): void {
  const members = typeof body === 'object' && body !== null ? body : {};
  const authorization =
    headers.authorization === undefined ? undefined : String(headers.authorization).replace(/^Bearer /, '');
  const values: Record<string, unknown> = { ...members, ...query, ...params, authorization };
  for (const { name } of PLACES.filter((place) => place.id === id)) {
    const found = sent.get(`${id} ${name}`) ?? { all: new Set(), right: new Set() };
    sent.set(`${id} ${name}`, found);
    found.all.add(textOf(values[name]));
    if (isRight && values[name] !== undefined) found.right.add(textOf(values[name]));
  }
}

/** Whether an answer shows that its request was right: an empty listing does not. */
const isGiven = (status: number, body: unknown) =>
  status < 300 &&
  !(
    typeof body === 'object' &&
    body !== null &&
    'results' in body &&
    Array.isArray(body.results) &&
    body.results.length === 0
  );

const recording: AnswerFilter = ({ status, body }, { operation: id, request }) => {
  note(id, request, isGiven(status, body));
  return undefined;
};

beforeAll(async () => {
  await conductAgainst({ middleware: [recording] }, [], ({ run }) => {
    run.thorough = true;
  });
}, 120_000);

test('every parameter and member has a kind, or a reason', () => {
  expect(PLACES.filter(({ id, name }) => kindOf(id, name) === undefined)).toEqual([]);
});

describe('every form of its kind is tried on', () => {
  for (const { id, name } of PLACES) {
    const kind = kindOf(id, name);
    if (typeof kind !== 'string') continue;
    test(`${name} of ${id}, ${kind}`, () => {
      const { all, right } = sent.get(`${id} ${name}`)!;
      const wrong = [...all].filter((text) => !right.has(text));
      const tried = KINDS[kind].filter((form) =>
        wrong.some((text) => [...right].some((one) => FORMS[form]!(text, one))),
      );
      expect(tried).toEqual(KINDS[kind]);
    });
  }
});
