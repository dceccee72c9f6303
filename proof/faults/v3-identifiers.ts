/** Faults of which card an identifier leads to: another one, one that it only resembles, or one of another tenant. */
import type { Card, OperationId } from '../../sandbox/index.ts';
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
  thoroughly(
    broken('a foreign card is shown when byProxy is false', 'cards.get.foreign', {
      ...letThrough(
        ({ operation, kind, request }) =>
          operation === 'cards.get' && kind === 'foreign' && request.query.byProxy === 'false',
      ),
    }),
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
