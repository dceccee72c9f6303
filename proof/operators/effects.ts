/** What an implementation does beside what it answers, what it answers from memory, and entries of listings that are lost or mixed up. */
import type { Operation } from '../../contracts/operation.ts';
import type { Whole } from '../selfcheck/direct.ts';
import { bodyOf, type Call, succeeded, withBody } from './call.ts';
import { answering, changed, fault, type OperatorFault, on, schemaOf, valueAt } from './operator.ts';

/** Money that is moved twice. */
const twice = (operation: Operation): OperatorFault[] => {
  const breaks = operation.id === 'cards.transfer' ? 'cards.transfer.moves-amount' : undefined;
  return on(operation, 'is carried out twice', breaks, () => async (call, ask) => {
    const answer = await ask(call);
    if (succeeded(answer)) await ask(call);
    return answer;
  });
};

/** What shows that an operation works once, and no more. */
const ONCE: Readonly<Record<string, string>> = {
  'cards.suspend': 'cards.suspend.not-active',
  'cards.unsuspend': 'cards.unsuspend.active',
  'cards.activate': 'cards.activate.active',
  'cards.close': 'cards.close.not-active',
  'cards.markWalletProvisioned': 'cards.markWalletProvisioned.provisioned',
};

/** Some calls with a good token, for what was read before, are answered with success, and not carried out. */
const undone = (operation: Operation, name: string, isLeftOut: (turn: number, turnOfCard: number) => boolean) =>
  fault(operation, name, ONCE[operation.id], () => {
    const good = new Set<string | undefined>();
    const turns = new Map<string, number>();
    let turn = 0;
    return async (call, ask) => {
      const { credential, identifier } = call;
      if (call.operation === operation && credential && good.has(credential) && identifier && good.has(identifier)) {
        const turnOfCard = (turns.get(identifier) ?? 0) + 1;
        turns.set(identifier, turnOfCard);
        if (isLeftOut(++turn, turnOfCard))
          return { status: operation.success!.status, headers: {}, bytes: Buffer.alloc(0) };
      }
      const answer = await ask(call);
      if (succeeded(answer)) good.add(credential).add(identifier);
      return answer;
    };
  });

const once = (operation: Operation): OperatorFault[] => [
  ...undone(operation, 'has no effect the first time', (_, turnOfCard) => turnOfCard === 1),
  // A run provisions one card.
  ...(operation.id === 'cards.markWalletProvisioned'
    ? []
    : undone(operation, 'has an effect the first time alone', (turn) => turn > 1)),
];

/** A listing that stays as it was. */
const stale = (operation: Operation): OperatorFault[] => {
  const breaks = operation.id === 'cards.list' ? 'cards.list.agrees-with-record' : undefined;
  return on(operation, 'answers for good as it did first', breaks, () => {
    const known = new Map<string, Whole>();
    return async (call, ask) => {
      const answer = await ask(call);
      const { url } = call.request;
      if (succeeded(answer) && !known.has(url)) known.set(url, answer);
      return succeeded(answer) ? known.get(url)! : answer;
    };
  });
};

/** What shows that entries of a listing are lost, repeated or mixed up. */
const LISTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'users.list': {
    lost: 'users.list.pagination-same-set',
    repeated: 'users.list.pagination-repeats-nobody',
    none: 'users.list.filter-name',
  },
  'cards.list': {
    lost: 'cards.list.default-50-where-more',
    repeated: 'cards.list.no-duplicates',
    none: 'cards.list.filter-customer',
    identifier: 'cards.list.filter-external',
    customerIdentifier: 'cards.list.filter-customer',
    status: 'cards.list.agrees-with-record',
    balance: 'cards.list.agrees-with-record',
  },
  'cards.listRelated': { none: 'cards.listRelated.related-found' },
  'portal.getCustomerList': { parentId: 'portal.getCustomerHierarchy.children' },
  'portal.getCustomerHierarchy': {
    none: 'portal.getCustomerHierarchy.children',
    customerId: 'portal.getCustomerHierarchy.members',
    parentId: 'portal.getCustomerHierarchy.children',
  },
  'portal.getCustomerProgramList': { none: 'portal.getCustomerProgramList.known-programs' },
};

const listings = (operation: Operation): OperatorFault[] => {
  const { body } = operation.success!;
  const shows = LISTED[operation.id];
  if (!shows || typeof body === 'string') return [];
  const list = ['results', 'items'].find((name) => schemaOf(body).properties?.[name]?.items)!;
  const lists = (name: string, breaks: string | undefined, change: (entries: unknown[], call: Call) => unknown[]) =>
    answering(operation, name, breaks, (answer, call) => {
      const whole = bodyOf(answer) as Record<string, unknown>;
      return withBody(answer, { ...whole, [list]: change((whole[list] ?? []) as unknown[], call) });
    });
  const { lost, repeated, none, ...members } = shows;
  return [
    ...lists('loses the last entry', lost, (entries) => entries.slice(0, -1)),
    ...lists('loses the first entry', lost, (entries) => entries.slice(1)),
    ...lists(
      'loses the last entry of a later page',
      operation.id === 'users.list' ? lost : undefined,
      (entries, call) => (call.query.has('token') ? entries.slice(0, -1) : entries),
    ),
    ...lists('repeats its last entry', repeated, (entries) => [...entries, ...entries.slice(-1)]),
    ...lists('is empty', none, () => []),
    ...Object.entries(members).flatMap(([member, breaks]) =>
      lists(`gives each entry the ${member} of the one before`, breaks, (entries) =>
        entries.map((entry, index) => changed(entry, [member], () => valueAt(entries.at(index - 1), [member]))),
      ),
    ),
  ];
};

export const effectFaults = (operation: Operation): OperatorFault[] =>
  operation.success ? [...twice(operation), ...once(operation), ...stale(operation), ...listings(operation)] : [];
