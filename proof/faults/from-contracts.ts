/** Faults of the whole answer, and rules that are broken alike in every operation: they follow from the operation contracts. */
import { z } from 'zod';
import type { Operation } from '../../contracts/operation.ts';
import { operations } from '../../contracts/operations.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import type { Configuration } from '../../helpers/configuration/types.ts';
import type { Answer, Refusal, RefusalKind } from '../../sandbox/exchange.ts';
import { RawText } from '../../sandbox/exchange.ts';
import type { Fault } from './fault.ts';

const catalogue = new Set(requirements.map(({ id }) => id));
const shown = operations.filter((operation) => !operation.listedOnly);

const isSuccess = (answer: Answer) => answer.status >= 200 && answer.status < 300;

/** A fault that changes successes of one operation. */
function onSuccess(operation: Operation, name: string, condemns: string, change: (answer: Answer) => void): Fault {
  return {
    name: `${operation.id}: ${name}`,
    condemns: [`${operation.id}.${condemns}`],
    sandbox: {
      middleware: [
        (answer, context) => {
          if (context.operation === operation.id && isSuccess(answer)) change(answer);
          return undefined;
        },
      ],
    },
  };
}

/** A fault that leaves refusals of some kind out; `others` are kinds that are left out as well. */
function unrefused(
  operation: Operation,
  kind: RefusalKind,
  names: string | undefined,
  condemns: string,
  others: readonly RefusalKind[] = [],
): Fault {
  const isMeant = (refusal: Refusal) =>
    refusal.operation === operation.id &&
    (others.includes(refusal.kind) ||
      (refusal.kind === kind && (names === undefined || refusal.name.startsWith(names))));
  return {
    name: `${operation.id}: ${names ?? 'any'} ${kind} is let through`,
    condemns: [`${operation.id}.${condemns}`],
    sandbox: { rules: { enforces: (refusal) => !isMeant(refusal) } },
  };
}

/** Dotted paths of the documented members of a shape, each with a value of another type. */
function wrongMembers(schema: z.ZodType, path = ''): [string, unknown][] {
  const shape = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? schema.unwrap() : schema;
  if (shape instanceof z.ZodArray) return wrongMembers(shape.element as z.ZodType, path);
  if (!(shape instanceof z.ZodObject)) return [];
  return Object.entries(shape.shape).flatMap(([name, of]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return [[at, wrongValue(of as z.ZodType)] as [string, unknown], ...wrongMembers(of as z.ZodType, at)];
  });
}

/** Names of the texts that an answer exists for. */
const nonEmpty = (schema: z.ZodType): string[] =>
  schema instanceof z.ZodObject
    ? Object.entries(schema.shape).flatMap(([name, of]) => (of instanceof z.ZodString && of.minLength ? [name] : []))
    : [];

function wrongValue(schema: z.ZodType): unknown {
  const { type, format } = z.toJSONSchema(schema, { io: 'input' }) as { type?: string; format?: string };
  if (format === 'date-time') return '2026-13-01 at noon';
  if (type === 'string') return 7;
  return type === 'integer' ? 1.5 : 'text';
}

/** Puts a value at every place that a path names: through all entries of arrays, where the objects on the way are there. */
function put(value: unknown, [step, ...rest]: string[], wrong: unknown): void {
  if (Array.isArray(value)) for (const item of value) put(item, [step!, ...rest], wrong);
  else if (typeof value === 'object' && value !== null) {
    const object = value as Record<string, unknown>;
    if (rest.length === 0) object[step!] = wrong;
    else put(object[step!], rest, wrong);
  }
}

const answerFaults = shown.flatMap((operation): Fault[] => {
  const { status, body } = operation.success!;
  const faults = [
    onSuccess(operation, 'success with another status', 'status', (answer) => {
      answer.status = status === 200 ? 201 : 200;
    }),
    onSuccess(operation, 'success with 202', 'status', (answer) => {
      answer.status = 202;
    }),
    onSuccess(operation, 'a valid request is answered with 500', 'status', (answer) => {
      answer.status = 500;
    }),
  ];
  if (body === 'none')
    return [
      ...faults,
      onSuccess(operation, 'a body where none belongs', 'shape', (answer) => {
        answer.body = {};
      }),
      onSuccess(operation, 'a line break where no body belongs', 'shape', (answer) => {
        answer.body = new RawText('\n');
      }),
    ];
  return [
    ...faults,
    onSuccess(operation, 'no body', 'shape', (answer) => {
      answer.body = undefined;
    }),
    onSuccess(operation, 'HTML', 'shape', (answer) => {
      answer.body = new RawText('<html><body>OK</body></html>');
    }),
    onSuccess(operation, 'JSON cut off', 'shape', (answer) => {
      answer.body = new RawText('{"results": [');
    }),
    onSuccess(operation, 'not UTF-8', 'shape', (answer) => {
      answer.body = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    }),
    ...(body === 'not shown' ? [] : memberFaults(operation, body)),
  ];
});

function memberFaults(operation: Operation, body: z.ZodType): Fault[] {
  const required = (z.toJSONSchema(body, { io: 'input', reused: 'inline' }) as { required?: string[] }).required ?? [];
  return [
    onSuccess(operation, 'an array instead of an object', 'shape', (answer) => {
      answer.body = [answer.body];
    }),
    ...wrongMembers(body).map(([path, wrong]) =>
      onSuccess(operation, `${path} of another type`, 'shape', (answer) => put(answer.body, path.split('.'), wrong)),
    ),
    ...required.flatMap((name) => [
      onSuccess(operation, `no ${name}`, 'shape', (answer) => {
        delete (answer.body as Record<string, unknown>)[name];
      }),
      onSuccess(operation, `${name} is null`, 'shape', (answer) => {
        (answer.body as Record<string, unknown>)[name] = null;
      }),
    ]),
    ...nonEmpty(body).map((name) =>
      onSuccess(operation, `${name} is empty`, 'shape', (answer) => {
        (answer.body as Record<string, unknown>)[name] = '';
      }),
    ),
  ];
}

const errorFaults = shown
  .filter((operation) => operation.interface !== 'token')
  .flatMap((operation): Fault[] => {
    const broken = (name: string, body: unknown): Fault => ({
      name: `${operation.id}: ${name}`,
      condemns: [`${operation.id}.error-shape`],
      sandbox: {
        rules: { refusalBody: (refusal, byDefault) => (refusal.operation === operation.id ? body : byDefault) },
      },
    });
    if (operation.interface === 'v1')
      return [
        broken('an array of errors instead of an object', [{ message: 'no' }]),
        broken('a refusal in plain text', new RawText('no')),
      ];
    return [
      broken('an error object instead of an array', { errorCode: 'BadRequest', errorMessage: 'no' }),
      broken('errors wrapped in an object', { errors: [{ errorCode: 'BadRequest' }] }),
      broken('a numeric errorCode', [{ errorCode: 400, errorMessage: 'no' }]),
      broken('errors as texts', ['no']),
      broken('a refusal without body', undefined),
    ];
  });

const authorisationFaults = operations
  .filter((operation) => operation.id !== 'token.authorize')
  .flatMap((operation): Fault[] => {
    // What is listed only and changes something is probed with an invented identifier alone: the fault must accept that, too.
    const others: RefusalKind[] = operation.listedOnly && operation.risk !== 'safe' ? ['unknown'] : [];
    if (operation.authorisation === 'bearer')
      return [
        // Which form of a bad token a run tries depends on its seed.
        ...['missing', 'scheme', 'invented', 'altered'].map((name) => ({
          ...unrefused(operation, 'token', name, 'requires-token', others),
          configure: ({ run }: Configuration) => {
            run.thorough = true;
          },
        })),
        unrefused(operation, 'token', 'expired', 'requires-live-token', others),
      ];
    if (operation.authorisation === 'session')
      return ['missing', 'invented', 'ended'].map((name) => unrefused(operation, 'session', name, 'requires-session'));
    return [];
  });

/** Refusals that would stop a call on a card that is not the caller's, or not there, for another reason. */
const ANY_CARD: readonly RefusalKind[] = ['state', 'funds'];

const parameterFaults = shown.flatMap((operation): Fault[] => [
  ...(operation.pathParameters.length > 0
    ? [unrefused(operation, 'unknown', undefined, 'unknown-identifier', ANY_CARD)]
    : []),
  ...(catalogue.has(`${operation.id}.foreign`) && operation.id !== 'cards.list'
    ? [unrefused(operation, 'foreign', 'identifier', 'foreign', ANY_CARD)]
    : []),
  ...operation.query
    .filter((parameter) => parameter.required)
    .map((parameter) => unrefused(operation, 'missing-parameter', parameter.name, 'required-parameters')),
  ...operation.query
    .filter((parameter) => parameter.type === 'integer')
    .map((parameter) => unrefused(operation, 'parameter-type', parameter.name, 'integer-parameters')),
  ...(operation.body?.requiredMembers ?? []).map((name) => ({
    ...unrefused(operation, 'missing-member', name, 'required-members'),
    sandbox: {
      rules: {
        requires: (of: string, what: string, byDefault: boolean) =>
          !(of === operation.id && what === name) && byDefault,
      },
    },
  })),
]);

/** What is wrong is refused as if it were in conflict with something. */
const conflictFaults = (
  [
    ['users.list.integer-parameters', 'parameter-type'],
    ['cards.list.integer-parameters', 'parameter-type'],
    ['portal.getCustomerHierarchy.integer-parameters', 'parameter-type'],
    ['portal.getATMLocation.integer-parameters', 'parameter-type'],
    ['portal.getATMLocation.required-parameters', 'missing-parameter'],
    ['portal.getCustomerProgramList.integer-parameters', 'parameter-type'],
    ['portal.getCIPCheck.required-members', 'missing-member'],
    ['portal.orderCards.refused-with-400', 'missing-member'],
  ] as const
).map(
  ([requirement, kind]): Fault => ({
    name: `409: ${requirement}`,
    condemns: [requirement],
    sandbox: {
      rules: {
        refusalStatus: (refusal, byDefault) =>
          requirement.startsWith(`${refusal.operation}.`) && refusal.kind === kind ? 409 : byDefault,
      },
    },
  }),
);

/** One operation does not exist, or refuses what is valid. */
const acceptanceFaults = shown
  .filter((operation) => catalogue.has(`${operation.id}.required-only`) && operation.id !== 'portal.login')
  .map(
    (operation): Fault => ({
      name: `${operation.id}: is not there`,
      condemns: [`${operation.id}.required-only`],
      sandbox: { rules: { offers: (id) => id !== operation.id } },
    }),
  );

/** A reading of customers or cards answers everything that it would give with 409. */
const onlyConflictFaults = shown
  .filter(({ id }) => /^(?:users|cards)\.(?:list|get)/.test(id))
  .map(
    ({ id }): Fault => ({
      name: `${id}: everything is a conflict`,
      condemns: [`${id}.required-only`],
      sandbox: {
        middleware: [
          (answer, { operation }) =>
            operation === id && answer.status < 300
              ? { ...answer, status: 409, body: [{ errorMessage: 'conflict' }] }
              : undefined,
        ],
      },
    }),
  );

/** The same where few cards are there: who asks whether an operation is accepted for another one must not hold those that this takes. */
const acceptanceFaultsOfFewCards = acceptanceFaults
  .filter(({ name }) => /^cards\.(?:activate|markLost|suspend|unsuspend):/.test(name))
  .map(
    (fault): Fault => ({
      ...fault,
      name: `${fault.name}, and three cards of a kind are`,
      configure: ({ fixtures: { cards = {} } }) => {
        for (const pool of ['active', 'disposable', 'unused', 'fraud'] as const) cards[pool] = cards[pool]?.slice(0, 3);
      },
    }),
  );

/** Operations whose refusal may have a reason that the run cannot see, and login, without which there is no run. */
const UNSEEN = ['portal.login', 'portal.getCIPCheck', 'portal.orderCards'];

/** What is carried out, and answered as refused. */
const doneYetRefusedFaults = shown
  .filter(({ id }) => catalogue.has(`${id}.required-only`) && !UNSEEN.includes(id))
  .map(
    ({ id }): Fault => ({
      name: `${id}: is carried out, and answered with 403`,
      condemns: [`${id}.required-only`],
      sandbox: {
        middleware: [
          (answer, { operation }) =>
            operation === id && isSuccess(answer) ? { ...answer, status: 403, body: undefined } : undefined,
        ],
      },
    }),
  );

/** The same of what leaves nothing to be paid from by the time another way is tried, where the effect takes a moment to show. */
const doneLateYetRefusedFaults = doneYetRefusedFaults
  .filter(({ name }) => name.startsWith('cards.close:'))
  .map(
    ({ name, condemns, sandbox }): Fault => ({
      name: `${name}, a moment later`,
      condemns,
      sandbox: { ...sandbox, rules: { effectDelayMs: () => 150 } },
      configure: ({ run }) => {
        run.settleMs = 500;
      },
    }),
  );

export const contractFaults: readonly Fault[] = [
  ...answerFaults,
  ...errorFaults,
  ...authorisationFaults,
  ...parameterFaults,
  ...conflictFaults,
  ...acceptanceFaults,
  ...onlyConflictFaults,
  ...acceptanceFaultsOfFewCards,
  ...doneYetRefusedFaults,
  ...doneLateYetRefusedFaults,
];
