/** Card look-ups. Source: "Cards" of the token, users and cards document. */
import { randomUUID } from 'node:crypto';
import type { Call } from '../call.ts';
import type { Card } from '../world.ts';
import { findCard } from './find-card.ts';
import { continuation, page, pageSize } from './listing.ts';
import { refreshRecord } from './states.ts';

const filterNames = ['customerIdentifier', 'programIdentifier', 'orderIdentifier', 'externalIdentifier'] as const;

/** A card as answers show it, without the cardholder's own identifier, which is not a documented member. */
export function shownCard(call: Call, card: Card): Record<string, unknown> {
  const { rules, world } = call;
  const body: Record<string, unknown> = {
    identifier: card.identifier,
    customerIdentifier: card.customerIdentifier,
    externalIdentifier: card.externalIdentifier,
    isRefreshing: world.isRefreshing(card),
    proxyNumber: card.proxyNumber,
    status: rules.statusName(card.record.state),
    balance: rules.money(card.record.balanceCents),
    isProvisionedToWallet: card.isProvisionedToWallet,
  };
  if (card.provisionedDate !== undefined) body.provisionedDate = card.provisionedDate;
  body.cardNumberLastFour = card.cardNumberLastFour;
  body.expiration = card.expiration;
  body.creationDate = card.creationDate;
  body.lastUpdateDate = card.lastUpdateDate;
  body.deepLink = `wallet://card/${card.identifier}`;
  body.tinyUrl = `https://short.invalid/${card.identifier.slice(0, 8)}`;
  body.customFields = card.customFields;
  if (card.cardholder) {
    const { identifier: _identifier, ...holder } = card.cardholder;
    body.cardholder = holder;
  }
  return body;
}

/** The shape `cards`. */
export function shownCards(call: Call, cards: readonly Card[]): { results: unknown[]; correlationId: string } {
  const seen = cards.filter((card) => card.tenant === 'own' || call.rules.listsForeign(call.id));
  return { results: seen.map((card) => shownCard(call, card)), correlationId: randomUUID() };
}

/** GET /cards */
export function listCards(call: Call): unknown {
  const { rules, world } = call;
  const size = pageSize(call);
  let found: readonly Card[] = rules.listsForeign('cards.list') ? world.allCards : world.ownCards;
  for (const name of filterNames) {
    const value = call.text(name);
    if (value === undefined) continue;
    const matching = found.filter((item) =>
      rules.matchesFilter({ operation: 'cards.list', name, value, item, request: call.request }, item[name] === value),
    );
    if (matching.length === 0 && !world.ownCards.some((card) => card[name] === value)) {
      const then = rules.unknownFilterValue('cards.list', name);
      if (then === 'ignore') continue;
      if (then === 'refuse') call.check(false, 'unknown-reference', name, `No card has this ${name}.`);
    }
    found = matching;
  }
  found = rules.listingOrder(
    'cards.list',
    found.filter((card) => !rules.hides('cards.list', card)),
    call.request,
  );
  if (!rules.cardsContinue) return shownCards(call, found.slice(0, size));
  const { results, next } = page(call, found, size);
  return { ...shownCards(call, results), ...continuation(call, next) };
}

/** GET /cards/{identifier}; byProxy takes precedence over byToken. */
export function getCard(call: Call): unknown {
  const byToken = call.flag('byToken') ?? false;
  const byProxy = call.flag('byProxy') ?? false;
  const programIdentifier = call.text('programIdentifier', byProxy);
  const isDigital = call.flag('isDigital', byProxy);
  if (!byProxy) return shownCard(call, findCard(call, byToken ? 'temporary-token' : 'identifier'));
  const card = findCard(call, 'proxy');
  const sameProgram = programIdentifier === undefined || card.programIdentifier === programIdentifier;
  call.check(sameProgram, 'mismatch', 'programIdentifier', 'The proxy is none of this program.');
  const sameKind = isDigital === undefined || card.isDigital === isDigital;
  call.check(sameKind, 'mismatch', 'isDigital', 'The proxy is of the other kind.');
  return shownCard(call, card);
}

/** GET /cards/{identifier}/balance */
export function getBalance(call: Call): unknown {
  const card = findCard(call);
  refreshRecord(call, card, 'balance');
  return { balance: call.rules.money(card.balanceCents) };
}

/** GET /cards/{identifier}/status */
export function getStatus(call: Call): unknown {
  const card = findCard(call);
  refreshRecord(call, card, 'status');
  return { status: call.rules.statusNumber(card.state) };
}

/** GET /cards/{identifier}/related: the other cards of the same cardholder. */
export function listRelated(call: Call): unknown {
  const card = findCard(call);
  const held = call.world.cardsByHolder.get(card.cardholder?.identifier ?? '') ?? [];
  const others = held.filter((other) => other !== card);
  return shownCards(call, call.rules.relatedCards(card, others));
}

/** GET /cards/{identifier}/token */
export function createToken(call: Call): unknown {
  const card = findCard(call);
  return { token: call.backend.temporaryTokens.issue(card.identifier, call.nowMs), correlationId: randomUUID() };
}
