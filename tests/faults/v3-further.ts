/**
 * Faults of the users and cards interfaces that hide beside the one request, card, token or moment that a check would try first: another
 * make of a request, another parameter, another amount, another card, and what comes before or after.
 */
import type { AnswerFilter, OperationId, SandboxRequest, World } from '../../sandbox/index.ts';
import { answering, broken, letThrough, thoroughly } from './broken.ts';
import type { Fault } from './fault.ts';

const bearerOf = ({ headers }: SandboxRequest): string => String(headers.authorization ?? '').replace(/^\S+\s*/, '');

/** The operation needs no good token for requests of one make. */
const unguarded = (
  name: string,
  operation: OperationId,
  isMeant: (request: SandboxRequest) => boolean,
  what?: 'expired',
): Fault =>
  broken(name, `${operation}.requires-${what ? 'live-' : ''}token`, {
    ...letThrough(
      ({ kind, name: wrong, operation: of, request }) =>
        kind === 'token' && of === operation && (wrong === 'expired') === (what === 'expired') && isMeant(request),
    ),
  });

const isPlain = ({ query }: SandboxRequest) => Object.keys(query).length === 0;

const guard: Fault[] = [
  unguarded('the plain listing of cards needs no token', 'cards.list', isPlain),
  unguarded('the plain listing of customers needs no token', 'users.list', isPlain),
  unguarded('the plain listing of cards takes an expired token', 'cards.list', isPlain, 'expired'),
  unguarded('the largest page of customers needs no token', 'users.list', ({ query }) => query.max === '50'),
  unguarded('a look-up with byProxy of false needs no token', 'cards.get', ({ query }) => query.byProxy === 'false'),
  unguarded('all filters of cards at once need no token', 'cards.list', ({ query }) => Object.keys(query).length > 4),
  unguarded(
    'all filters of customers at once need no token',
    'users.list',
    ({ query }) => Object.keys(query).length > 3,
  ),
  unguarded('a transfer with a large body needs no token', 'cards.transfer', ({ raw }) => raw.length > 1500),
  unguarded(
    'a suspension that is declared as JSON needs no token',
    'cards.suspend',
    ({ headers }) => headers['content-type'] !== undefined,
  ),
];

const foreign = (name: string, operation: OperationId, isMeant: (request: SandboxRequest) => boolean): Fault =>
  broken(
    name,
    `${operation}.foreign`,
    letThrough(({ kind, operation: of, request }) => kind === 'foreign' && of === operation && isMeant(request)),
  );

/** Lets the foreign card in from the second request on that an operation gets for it. */
function theSecondTime(operation: OperationId): Fault {
  const asked = new Map<string, number>();
  return foreign(`${operation} shows a foreign card the second time`, operation, ({ params }) => {
    const identifier = params.identifier ?? '';
    asked.set(identifier, (asked.get(identifier) ?? 0) + 1);
    return asked.get(identifier)! > 1;
  });
}

/** Shows foreign cards to whoever was refused when money was to go to them. */
function onceToBePaid(): Fault {
  const named = new Set<unknown>();
  const fault = foreign('a foreign card is shown once it was to be paid', 'cards.get', ({ params }) =>
    named.has(params.identifier),
  );
  const remember: AnswerFilter = (_answer, { operation, request }) => {
    const { targetCardIdentifier } = (request.body ?? {}) as { targetCardIdentifier?: string };
    if (operation === 'cards.transfer') named.add(targetCardIdentifier);
    return undefined;
  };
  return {
    ...fault,
    sandbox: { ...fault.sandbox, middleware: [remember] },
    also: ['cards.transfer.foreign-target'],
  };
}

const reach: Fault[] = [
  foreign(
    'a foreign card is shown beside a programIdentifier',
    'cards.get',
    ({ query }) => query.programIdentifier !== undefined && query.byProxy === undefined,
  ),
  foreign('a foreign card is encrypted with a nonce', 'cards.encryptForVde', ({ raw }) => raw.includes('nonce')),
  theSecondTime('cards.getStatus'),
  theSecondTime('cards.createToken'),
  onceToBePaid(),
];

const money: Fault[] = [
  broken('of more than five units five are credited', 'cards.transfer.moves-amount', {
    transferCredit: (cents) => (cents > 500 && cents <= 800 ? 500 : cents),
  }),
  paysTheTargetBefore(),
  {
    name: 'a transfer without a body is answered with an identifier',
    condemns: ['cards.transfer.missing-body'],
    sandbox: {
      middleware: [
        (answer, { operation, request }) =>
          operation === 'cards.transfer' && request.raw.length === 0 && answer.status === 400
            ? { ...answer, status: 200, body: { identifier: 'none' } }
            : undefined,
      ],
    },
  },
];

/** The money goes to the card that the source paid before. */
function paysTheTargetBefore(): Fault {
  const last = new Map<unknown, string>();
  return broken('money goes to the target of the transfer before', 'cards.transfer.moves-amount', {
    meanwhile: (_world, { operation, params, body }) => {
      const sent = (body ?? {}) as { targetCardIdentifier?: string };
      if (operation !== 'cards.transfer' || typeof sent.targetCardIdentifier !== 'string') return;
      const before = last.get(params.identifier);
      last.set(params.identifier, sent.targetCardIdentifier);
      if (before !== undefined && before !== params.identifier) sent.targetCardIdentifier = before;
    },
  });
}

const states: Fault[] = [
  ...(['cards.setPin', 'cards.markWalletProvisioned'] as const).map((operation) =>
    broken(`${operation} ends a suspension`, 'cards.suspend.not-active', {
      meanwhile: (world, { operation: of, params }) => {
        const card = world.cardById.get(params.identifier ?? '');
        if (of === operation && card?.state === 'suspended') card.state = 'active';
      },
    }),
  ),
  broken('a suspended card that never paid before pays', 'cards.suspend.stops-payments', {
    paysFrom: ({ state, history }, byDefault) =>
      byDefault || (state === 'suspended' && !history.includes('cards.transfer')),
  }),
  broken('a suspended card pays until its status is read', 'cards.suspend.stops-payments', {
    recordFollows: (operation) => operation !== 'cards.suspend',
    paysFrom: ({ state, record }, byDefault) => byDefault || (state === 'suspended' && record.state === 'active'),
  }),
  broken('a suspended card that has a PIN pays', 'cards.suspend.stops-payments', {
    paysFrom: ({ state, history }, byDefault) =>
      byDefault || (state === 'suspended' && history.includes('cards.setPin')),
  }),
  broken('a card that is suspended again pays', 'cards.suspend.stops-payments', {
    paysFrom: ({ state, history }, byDefault) =>
      byDefault || (state === 'suspended' && history.includes('cards.unsuspend')),
  }),
  broken('a suspended card pays a suspended one', 'cards.suspend.stops-payments', {
    ...letThrough(
      ({ operation, kind, request, card }) =>
        operation === 'cards.transfer' && kind === 'state' && card?.state === 'suspended' && bothSuspended(request),
    ),
    meanwhile: (world, request) => void worlds.set(request, world),
  }),
  {
    name: 'a PIN takes a card out of its wallet',
    condemns: ['cards.markWalletProvisioned.provisioned'],
    sandbox: {
      rules: {
        meanwhile: (world, { operation, params }) => {
          const card = world.cardById.get(params.identifier ?? '');
          if (operation === 'cards.setPin' && card) card.isProvisionedToWallet = false;
        },
      },
    },
  },
  {
    name: 'a card that is provisioned is found by its temporary token as not provisioned',
    condemns: ['cards.markWalletProvisioned.provisioned'],
    sandbox: answering('cards.get', (body, { request }) => {
      if (request.query.byToken === 'true') body.isProvisionedToWallet = false;
    }),
  },
];

const worlds = new WeakMap<SandboxRequest, Parameters<NonNullable<Parameters<typeof broken>[2]['meanwhile']>>[0]>();

/** Whether both cards of a transfer are suspended. */
function bothSuspended(request: SandboxRequest): boolean {
  const { targetCardIdentifier } = (request.body ?? {}) as { targetCardIdentifier?: string };
  const world = worlds.get(request);
  const named = [request.params.identifier, targetCardIdentifier];
  return named.every((identifier) => world?.cardById.get(identifier ?? '')?.state === 'suspended');
}

/** The second token of a run works for another time than the others. */
function secondToken(name: string, condemns: string, minutes: number): Fault {
  const issuedIn = new WeakMap<World, Set<string>>();
  const second = new Set<string>();
  const isSecond = (request: SandboxRequest) => second.has(bearerOf(request) ?? '');
  return {
    name,
    condemns: [condemns],
    sandbox: {
      rules: letThrough(({ kind, request }) => kind === 'token' && minutes > 60 && isSecond(request)),
      middleware: [
        (answer, { operation, request, world, tokenAgeSeconds = 0 }) => {
          const token = (answer.body as { access_token?: string } | undefined)?.access_token;
          const issued = issuedIn.get(world) ?? new Set();
          issuedIn.set(world, issued);
          if (operation === 'token.issue' && token && issued.add(token).size === 2) second.add(token);
          return isSecond(request) && tokenAgeSeconds > minutes * 60
            ? { status: 401, headers: { 'www-authenticate': 'Bearer' }, body: [] }
            : undefined;
        },
      ],
    },
  };
}

const tokens: Fault[] = [
  secondToken('the second token lives ten minutes', 'token.issue.lives-60-minutes', 10),
  secondToken('the second token lives two hours', 'token.issue.ends-after-60-minutes', 120),
];

const listings: Fault[] = [
  thoroughly(
    broken('. in a name stands for any character', 'users.list.filter-name', {
      matchesFilter: ({ operation, name, value, item }, byDefault) =>
        operation === 'users.list' && name === 'name' && 'name' in item
          ? new RegExp(value.replace(/[*+?^${}()|[\]\\]/g, '\\$&'), 'i').test(item.name)
          : byDefault,
    }),
  ),
  ...(['cards.list', 'users.list'] as const).map((operation) =>
    broken(
      `${operation}: max that is not an integer is ignored beside a filter`,
      `${operation}.integer-parameters`,
      letThrough(
        ({ operation: of, kind, name, request }) =>
          of === operation && kind === 'parameter-type' && name === 'max' && Object.keys(request.query).length > 1,
      ),
    ),
  ),
];

export const furtherV3Faults: readonly Fault[] = [...guard, ...reach, ...money, ...states, ...tokens, ...listings];
