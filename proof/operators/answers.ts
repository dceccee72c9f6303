/** What an implementation answers wrong: status, form, and members of the body. */
import type { Operation, SuccessBody } from '../../contracts/operation.ts';
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

/** Successes of another form, or with other members. */
const forms = (operation: Operation, body: SuccessBody): OperatorFault[] => {
  const gives = (what: string, change: Parameters<typeof answering>[3]) =>
    answering(operation, `answers ${what}`, 'shape', change);
  if (body === 'none')
    return [
      ...gives('a body where none belongs', (answer) => withBody(answer, {})),
      ...gives('a line break where no body belongs', (answer) => withBytes(answer, Buffer.from('\n'))),
    ];
  const unreadable = Object.entries(bodies).flatMap(([what, bytes]) =>
    gives(what, (answer) => withBytes(answer, bytes)),
  );
  if (body === 'not shown') return unreadable;
  const members = membersOf(schemaOf(body)).flatMap(({ path, schema, isRequired }) => {
    const name = path.join('.');
    const having = (what: string, value: unknown) =>
      gives(`${name} ${what}`, (answer) =>
        withBody(
          answer,
          changed(bodyOf(answer), path, (was) => (was === undefined ? was : value)),
        ),
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
    answering(operation, `answers another ${member}`, breaks, (answer) =>
      withBody(answer, changed(bodyOf(answer), [member], altered)),
    ),
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
  const accepted = operation.id === 'cards.transfer' ? 'cards.transfer.moves-amount' : 'required-only';
  const yetDone = operation.id === 'cards.transfer' ? 'cards.transfer.refused-moves-nothing' : 'required-only';
  return [
    ...on(operation, 'is not there', operation.id === 'portal.login' ? undefined : accepted, () => async () => ({
      status: 404,
      headers: {},
      bytes: NOTHING,
    })),
    ...(MAY_BE_REFUSED.includes(operation.id)
      ? []
      : answering(operation, 'is carried out, and answered with 403', yetDone, (answer) => ({
          ...withBytes(answer, NOTHING),
          status: 403,
        }))),
  ];
};

export const answerFaults = (operation: Operation): OperatorFault[] =>
  operation.success
    ? [
        ...statuses(operation, operation.success.status),
        ...forms(operation, operation.success.body),
        ...values(operation),
        ...refusals(operation),
        ...refused(operation),
      ]
    : [];
