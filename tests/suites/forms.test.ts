/**
 * Forms reach siblings (readings 11, 17, 32 and 34): for every parameter and member of the contracts, which forms of its kind a run with all
 * forms sends, or why none. The forms are recognised by the requests that the sandbox gets, not by the lists that make them.
 */
import { beforeAll, expect, test } from 'vitest';
import { operation, operations } from '../../contracts/operations.ts';
import { outlineOf } from '../../helpers/contract-rules/outline.ts';
import { oddTextsOf } from '../../helpers/engine/forms/odd-values.ts';
import { conductAgainst } from '../../proof/selfcheck/prove.ts';
import type { AnswerFilter } from '../../sandbox/index.ts';

/** A form, by how a value differs from one that is right. */
const FORMS: Record<string, (sent: string, right: string) => boolean> = {
  continued: (sent, right) => sent.startsWith(right) && sent.trim() !== right,
  'cut short': (sent, right) => right.startsWith(sent) && sent.length > 2,
  preceded: (sent, right) => sent.endsWith(right) && sent.trim() !== right,
  'with a blank': (sent, right) => sent !== right && sent.trim() === right,
  'in another case': (sent, right) => sent !== right && sent.toLowerCase() === right.toLowerCase(),
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
  'followed by letters': (sent) => /^\d+[a-z]/.test(sent),
  'beyond 32 bits': (sent) => /^\d{10,}$/.test(sent),
  'beyond 64 bits': (sent) => /^\d{20,}$/.test(sent),
};
const ABSENT = '\0absent';

const CREDENTIAL =
  'absent, unknown, continued, preceded, cut short, in another case, one character changed, of another form, a word';

/** The forms of each kind of value. */
const KINDS = {
  identifier: 'unknown, continued, cut short, preceded, quote, beyond ASCII, long, pattern',
  // Where what resembles it is tried on what would change, odd values are not tried again.
  changedIdentifier: 'unknown, continued, cut short, preceded',
  filter: 'unknown, continued, preceded, pattern, quote, beyond ASCII, long, with a blank',
  token: CREDENTIAL,
  session: `${CREDENTIAL}, empty, quote`,
  loginId: 'absent, unknown, continued, cut short, preceded, quote',
  integer: 'a word, fraction, followed by letters',
  requiredInteger: 'absent, a word, fraction, followed by letters',
  program: 'absent, sign, beyond 32 bits',
  customer: 'absent, a word, fraction, sign, beyond 32 bits',
  digits: 'absent, sign, beyond 32 bits, beyond 64 bits',
  required: 'absent',
  boolean: 'a word',
};
type Kind = keyof typeof KINDS;

/** Where the values of a kind stand, by operation; a header or a session stands in all of them. */
const PLACES_OF: Record<Exclude<Kind, 'identifier' | 'changedIdentifier'>, string> = {
  filter:
    'users.list: parentIdentifier v1Identifier; cards.list: customerIdentifier programIdentifier orderIdentifier externalIdentifier',
  token: '*: authorization',
  session: '*: sessionId',
  loginId: 'portal.login: loginID',
  integer: 'users.list: max; cards.list: max',
  requiredInteger: 'portal.getATMLocation: pageOffset pageLength',
  program: 'portal.orderCards: custProgId',
  customer: 'portal.getCustomerHierarchy: customerId; portal.getCustomerProgramList: customerId',
  digits: 'portal.getCIPCheck: zip dobYear dobMonth dobDay ssn ssnLast4',
  required: 'portal.getATMLocation: latitude longitude',
  boolean: 'cards.get: byToken byProxy isDigital; portal.getCustomerProgramList: showAutoCreated showBranded',
};

/** Where no form of a kind is tried on a value, by why. */
const UNTRIED = {
  'money could move between cards that resemble others: unknown ones, and one form':
    'cards.transfer: identifier targetCardIdentifier',
  'the documents leave open what it takes: it is observed':
    'users.list: token; cards.list: token; users.setPermissions: canSearchLoads canSearchSpends',
  'the client chooses it, and the documents set no limit: odd values are observed':
    'cards.encryptForVde: nonce; cards.reissue: externalIdentifier; cards.transfer: comment customFields; cards.setPin: pin',
  'a part of a name finds it: suites/v3/listings/names.ts has its forms': 'users.list: name',
  'it is judged by the card that it finds: by-proxy-wrong-program': 'cards.get: programIdentifier',
  'amounts are judged by what they move': 'cards.transfer: amount',
  'one wrong password per run, by the seed (reading 32): look-alikes.test.ts has its forms': 'portal.login: password',
};

/** The kind of a value; 'untried' where there is a reason, undefined where nobody has said. */
function kindOf(id: string, name: string): Kind | 'untried' | undefined {
  const stands = (places: string) =>
    places.split('; ').some((place) => {
      const [of, names] = place.split(': ');
      return (of === id || of === '*') && names!.split(' ').includes(name);
    });
  if (Object.values(UNTRIED).some(stands)) return 'untried';
  const { body, risk } = operation(id);
  if (name === 'identifier') return risk === 'safe' ? 'identifier' : 'changedIdentifier';
  const [said] = Object.entries(PLACES_OF).find(([, places]) => stands(places)) ?? [];
  if (said || !body) return said as Kind | undefined;
  // What else a body holds the client chooses.
  return body.requiredMembers.includes(name) ? 'required' : 'untried';
}

/** Everything that a request can hold. */
const PLACES = operations
  .filter(({ listedOnly }) => !listedOnly)
  .flatMap(({ id, interface: of, pathParameters, query, body, authorisation }) => {
    const members = typeof body === 'object' && of !== 'token' ? outlineOf(body.schema).members?.keys() : undefined;
    const guard = { bearer: ['authorization'], session: ['sessionId'] }[authorisation as string] ?? [];
    const names = [...[...pathParameters, ...query].map(({ name }) => name), ...(members ?? []), ...guard];
    return names.map((name) => ({ id, name, kind: kindOf(id, name) }));
  });

/** What was sent in each place, and what of it was right. */
const sent = new Map<string, { all: Set<string>; right: Set<string> }>();

function textOf(value: unknown): string {
  if (value === undefined || typeof value === 'string') return value ?? ABSENT;
  return JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}` : one));
}

/** Whether an answer shows that its request was right: an empty listing does not. */
const isGiven = ({ status, body }: Parameters<AnswerFilter>[0]) =>
  status < 300 && (body as { results?: unknown[] } | undefined)?.results?.length !== 0;

const recording: AnswerFilter = (answer, { operation: id, request: { params, query, headers, body } }) => {
  const authorization = headers.authorization && String(headers.authorization).replace(/^Bearer /, '');
  const members = typeof body === 'object' ? body : {};
  const values: Record<string, unknown> = { ...members, ...query, ...params, authorization };
  for (const { name } of PLACES.filter((place) => place.id === id)) {
    const found = sent.get(`${id} ${name}`) ?? { all: new Set(), right: new Set() };
    sent.set(`${id} ${name}`, found);
    found.all.add(textOf(values[name]));
    if (isGiven(answer) && values[name] !== undefined) found.right.add(textOf(values[name]));
  }
  return undefined;
};

beforeAll(async () => {
  await conductAgainst({ middleware: [recording] }, [], ({ run }) => {
    run.thorough = true;
  });
}, 600_000);

test('every parameter and member has a kind, or a reason', () => {
  expect(PLACES.filter(({ kind }) => kind === undefined)).toEqual([]);
});

const tried = PLACES.flatMap(({ kind, ...place }) => (kind && kind !== 'untried' ? [{ ...place, kind }] : []));

test.each(tried)('every form of its kind is tried on $name of $id, $kind', ({ id, name, kind }) => {
  const { all, right } = sent.get(`${id} ${name}`)!;
  const wrong = [...all].filter((text) => !right.has(text));
  const isTried = (form: string) => wrong.some((text) => [...right].some((one) => FORMS[form]!(text, one)));
  const forms = KINDS[kind].split(', ');
  expect(forms.filter(isTried)).toEqual(forms);
});

/** Texts of any form, or of none that is known, by what holds them: odd ones are tried in each. */
const ODD_PLACES = [
  ...tried.filter(({ kind }) => kind === 'identifier').map(({ id, name }) => ['path', `${id} ${name}`] as const),
  ...tried.filter(({ kind }) => kind === 'filter').map(({ id, name }) => ['query', `${id} ${name}`] as const),
  ...['portal.getATMLocation latitude', 'portal.getATMLocation longitude', 'users.list token', 'cards.list token'].map(
    (of) => ['query', of] as const,
  ),
  ...[
    'cards.encryptForVde nonce',
    'cards.transfer comment',
    'cards.setPin pin',
    'cards.reissue externalIdentifier',
  ].map((of) => ['json', of] as const),
];

test.each(ODD_PLACES)('every odd text that a %s can hold is tried as %s', (place, of) => {
  const { all } = sent.get(of)!;
  expect(oddTextsOf(place).filter(({ text }) => !all.has(text))).toEqual([]);
});
