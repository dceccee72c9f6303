/** Faults of which card an identifier leads to: another one, one that it only resembles, or one of another tenant. */
import type { AnswerFilter, Card, OperationId, Rules, SandboxRequest, World } from '../../sandbox/index.ts';
import { broken, letThrough, misanswered, thoroughly } from './broken.ts';
import type { Fault } from './fault.ts';

const findsBy = (
  name: string,
  operation: OperationId,
  condemns: string,
  meant: (sent: string, card: Card) => boolean,
): Fault =>
  thoroughly(
    broken(name, condemns, {
      meanwhile: (world, request) => {
        if (request.operation !== operation || request.params.identifier === undefined) return;
        if (world.cardById.has(request.params.identifier)) return;
        const card = world.ownCards.find((one) => meant(request.params.identifier!, one));
        if (card) request.params.identifier = card.identifier;
      },
    }),
  );

/** Cards of the other tenant come into a listing that asks for their customer. */
function bring(filter: 'customerIdentifier'): Rules['meanwhile'] {
  return (world, { operation, query }) => {
    if (operation !== 'cards.list') return;
    const foreign = world.allCards.filter((card) => card.tenant === 'other' || brought.get(world)?.has(card));
    brought.set(world, new Set(foreign));
    for (const card of foreign) {
      const isAskedFor = query[filter] !== undefined && card[filter] === query[filter];
      card.tenant = isAskedFor ? 'own' : 'other';
      const at = (world.ownCards as Card[]).indexOf(card);
      if (isAskedFor && at < 0) (world.ownCards as Card[]).push(card);
      if (!isAskedFor && at >= 0) (world.ownCards as Card[]).splice(at, 1);
    }
  };
}

const brought = new WeakMap<World, Set<Card>>();
const foreignSeen = new Map<number, string[]>();

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

export const identifierFaults: readonly Fault[] = [
  findsBy(
    'a card is found by the beginning of its identifier',
    'cards.getBalance',
    'cards.getBalance.unknown-identifier',
    (sent, { identifier }) => identifier.length < sent.length && sent.startsWith(identifier),
  ),
  findsBy(
    'a card is found by a part of its identifier',
    'cards.getStatus',
    'cards.getStatus.unknown-identifier',
    (sent, { identifier }) => sent.length > 12 && sent.length < identifier.length && identifier.startsWith(sent),
  ),
  findsBy(
    'a card is closed by the beginning of its identifier',
    'cards.close',
    'cards.close.unknown-identifier',
    (sent, { identifier }) => identifier.length < sent.length && sent.startsWith(identifier),
  ),
  findsBy(
    'a card is found by a pattern',
    'cards.listRelated',
    'cards.listRelated.unknown-identifier',
    (sent, { identifier }) => sent.endsWith('%') && identifier.startsWith(sent.slice(0, -1)),
  ),
  broken('cards of a foreign customer are listed by a filter', 'cards.list.foreign', {
    meanwhile: bring('customerIdentifier'),
  }),
  thoroughly(
    broken('a foreign card is shown when byProxy is false', 'cards.get.foreign', {
      ...letThrough(
        ({ operation, kind, request }) =>
          operation === 'cards.get' && kind === 'foreign' && request.query.byProxy === 'false',
      ),
    }),
  ),
  ...[2, 3].map((index) =>
    thoroughly(
      broken(`the foreign card number ${index + 1} is open`, 'cards.getBalance.foreign', {
        enforces: ({ kind, card, operation, request }) => {
          if (kind !== 'foreign' || operation !== 'cards.getBalance') return true;
          const seen = foreignSeen.get(index) ?? [];
          foreignSeen.set(index, seen);
          const identifier = card?.identifier ?? request.params.identifier ?? '';
          if (!seen.includes(identifier)) seen.push(identifier);
          return seen.indexOf(identifier) !== index;
        },
      }),
    ),
  ),
  misanswered('a proxy is found with another proxyNumber', 'cards.get.by-proxy', 'cards.get', (body, { request }) => {
    if (request.query.byProxy === 'true') body.proxyNumber = '0000000000';
  }),
  thoroughly(
    broken('foreign cards are related to some cards', 'cards.listRelated.foreign', {
      listsForeign: (operation) => operation === 'cards.listRelated',
      relatedCards: (_card, byDefault) => byDefault,
      meanwhile: (world) => {
        const holder = world.ownCards.at(5)?.cardholder?.identifier;
        const foreign = world.allCards.find(({ tenant }) => tenant === 'other');
        const held = holder === undefined ? undefined : (world.cardsByHolder.get(holder) as Card[]);
        if (held && foreign && !held.includes(foreign)) held.push(foreign);
      },
    }),
  ),
  misanswered(
    'a card is found by its temporary token with another identifier in other letters',
    'cards.get.by-token',
    'cards.get',
    (body, { request }) => {
      if (request.query.byToken === 'true') body.identifier = `${body.identifier}0`;
    },
  ),
  foreign(
    'a foreign card is shown beside a programIdentifier',
    'cards.get',
    ({ query }) => query.programIdentifier !== undefined && query.byProxy === undefined,
  ),
  foreign('a foreign card is encrypted with a nonce', 'cards.encryptForVde', ({ raw }) => raw.includes('nonce')),
  thoroughly(theSecondTime('cards.getStatus')),
  thoroughly(theSecondTime('cards.createToken')),
  onceToBePaid(),
  {
    name: 'a proxy is found without both of programIdentifier and isDigital',
    condemns: ['cards.get.by-proxy-needs-program'],
    sandbox: {
      rules: {
        requires: (operation, _name, byDefault, { query }) =>
          byDefault && !(operation === 'cards.get' && !query.programIdentifier && !query.isDigital),
      },
    },
  },
];
