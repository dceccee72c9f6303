/** What an implementation does wrong with what it is sent: guards, parameters, members and identifiers. */
import { z } from 'zod';
import type { Operation } from '../../contracts/operation.ts';
import { operation as operationOf } from '../../contracts/operations.ts';
import type { Whole } from '../selfcheck/direct.ts';
import { type Call, succeeded, withBody } from './call.ts';
import {
  answering,
  asking,
  changed,
  fault,
  membersOf,
  type OperatorFault,
  on,
  schemaOf,
  taking,
  valueAt,
} from './operator.ts';

const isOfSession = ({ authorisation }: Operation) => authorisation === 'session';
const requiresCredential = (operation: Operation) => (isOfSession(operation) ? 'requires-session' : 'requires-token');
/** Optional parameters of which the document shows values: the listing of cards gives no continuation token. */
const shownParameters = ({ query, success }: Operation) =>
  query.filter(
    ({ name, required }) =>
      !required &&
      (name !== 'token' || (success?.body instanceof z.ZodObject && 'continuationToken' in success.body.shape)),
  );

/** The guard of one operation is forgotten, in one way or another. */
const guards = (operation: Operation): OperatorFault[] => {
  // Of what is listed only and changes something, only what does not exist is asked for.
  if (operation.authorisation === 'none' || (operation.listedOnly && operation.risk !== 'safe')) return [];
  /** Serves calls without a good credential with the one that was good last. @param isMeant which of them */
  const forgotten = (name: string, isMeant: (call: Call) => boolean) =>
    fault(operation, name, requiresCredential(operation), () => {
      let good: string | undefined;
      return async (call, ask) => {
        const answer = await ask(call);
        if (call.operation.authorisation !== operation.authorisation) return answer;
        if (succeeded(answer)) good = call.credential;
        const isServed = call.operation === operation && !succeeded(answer) && good !== undefined && isMeant(call);
        return isServed ? ask(call.withCredential(good!)) : answer;
      };
    });
  return [
    ...forgotten('is served without a credential', ({ credential }) => !credential),
    ...forgotten('is served with an invented credential', ({ credential }) => !!credential),
    ...shownParameters(operation).flatMap(({ name }) =>
      forgotten(`is served without a good credential where ${name} is given`, ({ query }) => query.has(name)),
    ),
    ...onceGood(operation),
    ...fault(operation, 'gives nobody nothing, with 200', requiresCredential(operation), () => {
      const good = new Set<string | undefined>();
      return async (call, ask) => {
        const answer = await ask(call);
        if (succeeded(answer)) good.add(call.credential);
        const isNobodys = call.operation === operation && !succeeded(answer) && !good.has(call.credential);
        return isNobodys ? nothing(answer) : answer;
      };
    }),
  ];
};

/** Success, with an empty object. */
const nothing = (answer: Whole): Whole => ({ ...withBody(answer, {}), status: 200 });

/** What ended is taken all the same: a credential that was good once. */
function onceGood(operation: Operation): OperatorFault[] {
  const giver = operationOf(isOfSession(operation) ? 'portal.login' : 'token.issue');
  const breaks = isOfSession(operation) ? 'requires-session' : 'requires-live-token';
  return fault(operation, 'is served with a credential that was good once', breaks, () => {
    const good = new Set<string>();
    let given: Call | undefined;
    return async (call, ask) => {
      const answer = await ask(call);
      const { credential } = call;
      if (succeeded(answer)) {
        if (call.operation === giver) given ??= call;
        if (credential) good.add(credential);
        return answer;
      }
      if (call.operation !== operation || !credential || !good.has(credential) || !given) return answer;
      const gave = JSON.parse((await ask(given)).bytes.toString()) as { sessionId?: string; access_token?: string };
      return ask(call.withCredential(gave.sessionId ?? `Bearer ${gave.access_token}`));
    };
  });
}

/** What shows that parameters or members of its operation are ignored. */
const IGNORED: Readonly<Record<string, readonly string[]>> = {
  'users.list.pagination-repeats-nobody': ['token'],
  'users.list.max-respected': ['max'],
  'users.list.filter-name': ['name'],
  'users.list.filter-parent': ['parentIdentifier'],
  'users.list.filter-v1-identifier': ['v1Identifier'],
  'cards.list.max-respected': ['max'],
  'cards.list.filter-customer': ['customerIdentifier'],
  'cards.list.filter-program': ['programIdentifier'],
  'cards.list.filter-order': ['orderIdentifier'],
  'cards.list.filter-external': ['externalIdentifier'],
  'cards.get.by-proxy': ['byProxy', 'programIdentifier', 'isDigital'],
  'cards.transfer.moves-amount': ['targetCardIdentifier', 'amount'],
  'portal.getCIPCheck.ssn-digits': ['ssn'],
  'portal.getCIPCheck.ssnLast4-digits': ['ssnLast4'],
  'portal.orderCards.unlisted-card-type': ['cardType'],
  'portal.orderCards.duplicate-order': ['externalIdentifier'],
  'portal.orderCards.load-off': ['orderDetails.amount'],
};

/** What shows that any value of a member of its operation is taken. */
const TAKEN: typeof IGNORED = {
  'cards.transfer.amount-answered': ['amount'],
  'portal.getCIPCheck.address-41-refused': ['address'],
  'portal.getCIPCheck.zip-digits': ['zip'],
  'portal.getCIPCheck.dobMonth-digits': ['dobMonth'],
  'portal.getCIPCheck.dobYear-digits': ['dobYear'],
  'portal.getCIPCheck.dobDay-digits': ['dobDay'],
  'portal.getCIPCheck.ssn-digits': ['ssn'],
  'portal.getCIPCheck.ssnLast4-digits': ['ssnLast4'],
  'portal.orderCards.unknown-program': ['custProgId'],
  'portal.orderCards.unlisted-card-type': ['cardType'],
  'portal.orderCards.unlisted-order-type': ['orderProdType'],
  'portal.orderCards.duplicate-order': ['externalIdentifier'],
  'portal.orderCards.required-item-members': ['orderDetails.firstName'],
  'portal.orderCards.load-off': ['orderDetails.amount'],
};

/** The requirement that shows it of a parameter or member. */
const shownBy = (table: typeof IGNORED, { id }: Operation, name: string) =>
  Object.keys(table).find((requirement) => requirement.startsWith(`${id}.`) && table[requirement]!.includes(name));

/** A parameter or member is not looked at. @param without takes it away */
const ignoring = (operation: Operation, name: string, without: (call: Call) => Call) =>
  asking(operation, `${name} is ignored`, shownBy(IGNORED, operation, name), without);

/** A parameter is not looked at, or missed by nobody. */
const parameters = (operation: Operation): OperatorFault[] =>
  operation.query.flatMap(({ name, required, type }) => [
    ...(required
      ? taking(operation, `${name} is not required`, 'required-parameters', (call, accepted) =>
          call.query.has(name) ? undefined : call.withParameter(name, accepted.query.get(name)!),
        )
      : ignoring(operation, name, (call) => call.withParameter(name, undefined))),
    ...(type === 'integer' && !/itude$/.test(name)
      ? taking(operation, `any ${name} is taken`, 'integer-parameters', (call, accepted) =>
          call.query.has(name) ? call.withParameter(name, accepted.query.get(name) ?? undefined) : undefined,
        )
      : []),
  ]);

/** A size is one more than was asked for. */
const oneMore = (operation: Operation): OperatorFault[] =>
  asking(operation, 'gives one more than max', shownBy(IGNORED, operation, 'max'), (call) => {
    const max = Number(call.query.get('max') ?? 0);
    return max > 0 && max < 50 ? call.withParameter('max', String(max + 1)) : call;
  });

/** An amount loses what is below a unit. */
const rounded = (operation: Operation): OperatorFault[] =>
  asking(operation, 'loses cents', shownBy(IGNORED, operation, 'amount'), (call) => {
    const amount = valueAt(call.json, ['amount']);
    const isRounded = typeof amount === 'number' && amount > 1;
    return isRounded ? call.withJson(changed(call.json, ['amount'], () => Math.floor(amount))) : call;
  });

/** A body, or a member of it, is not looked at, or missed by nobody. */
const bodies = (operation: Operation): OperatorFault[] => {
  const { body } = operation;
  if (!body || operation.authorisation === 'none') return [];
  const members = membersOf(schemaOf(body.schema)).flatMap(({ path, isRequired }) => {
    const name = path.join('.');
    const has = ({ json }: Call) => valueAt(json, path) !== undefined;
    const mended = (call: Call, accepted: Call) =>
      call.json === undefined ? undefined : call.withJson(changed(call.json, path, () => valueAt(accepted.json, path)));
    const required = path.length > 1 ? 'required-item-members' : 'required-members';
    return [
      ...(isRequired
        ? taking(operation, `${name} is not required`, required, (call, accepted) =>
            has(call) ? undefined : mended(call, accepted),
          )
        : ignoring(operation, name, (call) =>
            has(call) ? call.withJson(changed(call.json, path, () => undefined)) : call,
          )),
      ...taking(operation, `any ${name} is taken`, shownBy(TAKEN, operation, name), (call, accepted) =>
        has(call) ? mended(call, accepted) : undefined,
      ),
    ];
  });
  const none = taking(operation, 'no body is required', 'missing-body', (call, accepted) =>
    call.request.raw.length === 0 ? call.withJson(accepted.json) : undefined,
  );
  return [...none, ...members];
};

/** What shows that an operation is about something else than it was asked for. */
const MIXED_UP: Readonly<Record<string, string>> = {
  'users.get': 'users.get.same-customer',
  'users.setPermissions': 'users.setPermissions.same-customer',
  'cards.get': 'cards.get.same-card',
  'cards.getBalance': 'cards.getBalance.refreshes-record',
  'cards.transfer': 'cards.transfer.unknown-identifier',
  'cards.suspend': 'cards.suspend.not-active',
};

const isNotFound = ({ status }: Whole) => [400, 404, 410].includes(status);

/** An identifier in the path is not that of what is found. */
const identifiers = (operation: Operation): OperatorFault[] => [
  ...answering(operation, 'gives nothing with 200 where nothing is found', 'unknown-identifier', nothing, isNotFound),
  ...taking(operation, 'any identifier is taken', 'unknown-identifier', (call, { identifier }) =>
    identifier === undefined ? undefined : call.withIdentifier(identifier),
  ),
  ...on(operation, 'is about what the call before was about', MIXED_UP[operation.id], () => {
    let before: string | undefined;
    return async (call, ask) => {
      const other = before === undefined ? undefined : await ask(call.withIdentifier(before));
      const answer = other && succeeded(other) ? other : await ask(call);
      if (succeeded(answer)) before = call.identifier;
      return answer;
    };
  }),
  ...(operation.risk === 'safe'
    ? on(operation, 'answers what it answered to the call before', MIXED_UP[operation.id], () => {
        let before: Whole | undefined;
        return async (call, ask) => {
          const answer = await ask(call);
          if (!succeeded(answer)) return answer;
          const given = before ?? answer;
          before = answer;
          return given;
        };
      })
    : []),
];

/** What is wrong is refused with another status than the one that the document lists. */
const otherwiseRefused = (operation: Operation): OperatorFault[] =>
  ['required-parameters', 'required-members', 'integer-parameters', 'missing-body'].flatMap((breaks) =>
    [409, 422, 500].flatMap((status) =>
      answering(
        operation,
        `refuses with ${status} (${breaks})`,
        operation.errors.includes(400) ? breaks : undefined,
        (answer) => ({ ...answer, status }),
        (answer) => answer.status === 400,
      ),
    ),
  );

export const inputFaults = (operation: Operation): OperatorFault[] => [
  ...otherwiseRefused(operation),
  ...guards(operation),
  ...parameters(operation),
  ...oneMore(operation),
  ...rounded(operation),
  ...bodies(operation),
  ...identifiers(operation),
];
