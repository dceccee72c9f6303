/** What an implementation answers wrong: status, form, and members of the body. */
import type { Operation, SuccessBody } from '../../contracts/operation.ts';
import type { Whole } from '../selfcheck/direct.ts';
import { bodyOf, withBody, withBytes } from './call.ts';
import { answering, changed, membersOf, type OperatorFault, on, type Schema, schemaOf } from './operator.ts';

const NOTHING = Buffer.alloc(0);

function wrongValue({ type, format }: Schema): unknown {
  if (format === 'date-time') return '2026-13-01 at noon';
  if (type === 'string') return 7;
  return type === 'integer' ? 1.5 : 'text';
}

const statuses = (operation: Operation, documented: number): OperatorFault[] =>
  [documented === 200 ? 201 : 200, 202, 204, 500].flatMap((status) =>
    answering(operation, `answers ${status}`, 'status', (answer) => ({
      ...(status === 204 ? withBytes(answer, NOTHING) : answer),
      status,
    })),
  );

const bodies: Readonly<Record<string, Buffer>> = {
  'no body': NOTHING,
  HTML: Buffer.from('<html><body>OK</body></html>'),
  'JSON that is cut off': Buffer.from('{"results": ['),
  'a body that is not UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
};

/** Changes a member of the body. */
const withMember = (path: readonly string[], change: (was: unknown) => unknown) => (answer: Whole) =>
  withBody(answer, changed(bodyOf(answer), path, change));

/** Successes of another form, or with other members. */
const forms = (operation: Operation, body: SuccessBody): OperatorFault[] => {
  const gives = (what: string, change: (answer: Whole) => Whole) =>
    answering(operation, `answers ${what}`, 'shape', change);
  const bytes = (what: string, given: Buffer) => gives(what, (answer) => withBytes(answer, given));
  if (body === 'none')
    return [
      ...bytes('a body where none belongs', Buffer.from('{}')),
      ...bytes('a line break where no body belongs', Buffer.from('\n')),
    ];
  const unreadable = Object.entries(bodies).flatMap(([what, given]) => bytes(what, given));
  if (body === 'not shown') return unreadable;
  const members = membersOf(schemaOf(body)).flatMap(({ path, schema, isRequired }) => {
    const having = (what: string, value: unknown) =>
      gives(
        `${path.join('.')} ${what}`,
        withMember(path, (was) => (was === undefined ? was : value)),
      );
    return [
      ...having('of another type', wrongValue(schema)),
      ...(isRequired && path.length === 1 ? [...having('never', undefined), ...having('that is null', null)] : []),
      ...(schema.minLength ? having('that is empty', '') : []),
    ];
  });
  return [
    ...unreadable,
    ...gives('an array instead of an object', (answer) => withBody(answer, [bodyOf(answer)])),
    ...members,
  ];
};

/** Members whose values other answers, or the document, tell. */
const TOLD: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'token.issue': { expires_in: 'token.issue.expires-in', expires_on: 'token.issue.expires-on' },
  'users.get': { identifier: 'users.get.same-customer' },
  'users.setPermissions': { identifier: 'users.setPermissions.same-customer' },
  'cards.get': { identifier: 'cards.get.same-card', balance: 'cards.getBalance.refreshes-record' },
  'cards.getBalance': { balance: 'cards.getBalance.refreshes-record' },
  'cards.transfer': { amount: 'cards.transfer.amount-answered' },
  'portal.login': { sessionId: 'portal.login.customer-id-accepted', customerId: 'portal.login.customer-id-accepted' },
  'portal.getCIPCheck': { returnCode: 'portal.getCIPCheck.shape' },
};

/** Values that are not what they should be: numbers twice as large, texts without their last character. */
const values = (operation: Operation): OperatorFault[] =>
  Object.entries(TOLD[operation.id] ?? {}).flatMap(([member, breaks]) =>
    answering(operation, `answers another ${member}`, breaks, withMember([member], altered)),
  );

const altered = (value: unknown): unknown =>
  typeof value === 'number' ? 2 * value + 1 : typeof value === 'string' ? value.slice(0, -1) : value;

const errors = {
  v1: { 'an array of errors': [{ message: 'no' }] },
  v3: {
    'one error instead of an array': { errorCode: 'BadRequest', errorMessage: 'no' },
    'errors wrapped in an object': { errors: [{ errorCode: 'BadRequest' }] },
    'a numeric errorCode': [{ errorCode: 400, errorMessage: 'no' }],
    'errors as texts': ['no'],
    'no body': undefined,
  },
  token: {},
} as const;

/** Refusals with bodies that are no errors. */
const refusals = (operation: Operation): OperatorFault[] =>
  Object.entries(errors[operation.interface]).flatMap(([name, body]) =>
    answering(
      operation,
      `refuses with ${name}`,
      'error-shape',
      (answer) => (body === undefined ? withBytes(answer, NOTHING) : withBody(answer, body)),
      ({ status }) => status === 400,
    ),
  );

/** Operations whose refusal may have a reason that a run cannot see, and login, without which there is no run. */
const MAY_BE_REFUSED = ['portal.login', 'portal.getCIPCheck', 'portal.orderCards'];

/** What works is answered as refused, or is not there. */
const refused = (operation: Operation): OperatorFault[] => {
  const { id } = operation;
  const [accepted, yetDone] =
    id === 'cards.transfer'
      ? ['cards.transfer.moves-amount', 'cards.transfer.refused-moves-nothing']
      : ['required-only', 'required-only'];
  const missing = { status: 404, headers: {}, bytes: NOTHING };
  const forbidden = (answer: Whole) => ({ ...withBytes(answer, NOTHING), status: 403 });
  return [
    ...on(operation, 'is not there', id === 'portal.login' ? undefined : accepted, () => async () => missing),
    ...(MAY_BE_REFUSED.includes(id)
      ? []
      : answering(operation, 'is carried out, and answered with 403', yetDone, forbidden)),
  ];
};

export function answerFaults(operation: Operation): OperatorFault[] {
  if (!operation.success) return [];
  const { status, body } = operation.success;
  const all = [statuses(operation, status), forms(operation, body), values(operation), refusals(operation)];
  return [...all.flat(), ...refused(operation)];
}
