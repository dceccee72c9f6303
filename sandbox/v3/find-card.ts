/** Finds the card of a call. */
import type { Call } from '../call.ts';
import type { Card } from '../world.ts';

/** A card that does not exist, for rules that let unknown identifiers through. It is not stored. */
function inventedCard(identifier: string, now: string): Card {
  return {
    identifier,
    tenant: 'own',
    customerIdentifier: '',
    programIdentifier: '',
    orderIdentifier: '',
    externalIdentifier: '',
    proxyNumber: identifier,
    isDigital: false,
    state: 'active',
    balanceCents: 10_000,
    record: { state: 'active', balanceCents: 10_000 },
    isProvisionedToWallet: false,
    provisionedDate: undefined,
    cardNumberLastFour: '0000',
    expiration: now,
    creationDate: now,
    lastUpdateDate: now,
    customFields: {},
    cardholder: undefined,
    pin: undefined,
    reissues: [],
    history: [],
  };
}

/** What a path value may name. */
export type LookUp = 'identifier' | 'proxy' | 'temporary-token';

function lookUp(call: Call, by: LookUp, value: string): Card | undefined {
  const { world, backend } = call;
  if (by === 'identifier') return world.cardById.get(value);
  if (by === 'proxy') return world.cardByProxy.get(value);
  return world.cardById.get(backend.temporaryTokens.cardOf(value, call.nowMs) ?? '');
}

/** The card that the path names. @throws Refused when there is none, or it belongs to another tenant */
export function findCard(call: Call, by: LookUp = 'identifier'): Card {
  const value = call.request.params.identifier ?? '';
  const meant = lookUp(call, by, value);
  const found = meant && call.rules.cardFound(by, meant, call.world);
  call.card = found;
  call.check(found !== undefined, 'unknown', by, 'There is no such card.');
  call.check(found?.tenant !== 'other', 'foreign', 'identifier', 'There is no such card.');
  call.card = found ?? inventedCard(value, call.now);
  return call.card;
}

/** The card that a body names; `undefined` if it is unknown and that is let through. @throws Refused like `findCard` */
export function findNamedCard(call: Call, member: string, identifier: string): Card | undefined {
  const card = call.world.cardById.get(identifier);
  call.check(card !== undefined, 'unknown-reference', member, 'There is no such card.');
  call.check(card?.tenant !== 'other', 'foreign', member, 'There is no such card.');
  return card;
}
