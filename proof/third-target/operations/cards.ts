import { createHash, randomUUID } from 'node:crypto';
import type { Action, Answer, Call, Card, World } from '../core/model.ts';
import { Refusal } from '../core/model.ts';
import { fields, filters, flag, integer, needed, parameter, text } from './read.ts';

const FILTERS = ['customerIdentifier', 'programIdentifier', 'orderIdentifier', 'externalIdentifier'];

export const STATUS_NUMBERS = {
  NotActivated: 1,
  Active: 2,
  OnHold: 5,
  ReportedLost: 6,
  FraudHold: 7,
  AccountClosed: 9,
};

export function found(world: World, call: Call): Card {
  const card = world.rules.cardOf(call.client!, call.identifier);
  if (!card) throw new Refusal(404, 'identifier', 'No such card', 'unknown');
  return card;
}

export function list(world: World, call: Call): Answer {
  const max = integer(world, call, 'max') ?? world.rules.defaultMax;
  if (max < 1 || max > 500) throw new Refusal(400, 'max', 'max goes from 1 to 500', 'range');
  parameter(call, 'token');
  const asked = filters(call, FILTERS);
  const cards = world.rules.cardsOf(call.client!).filter((card) => world.rules.cardMatches(card, asked));
  return {
    status: 200,
    body: { correlationId: randomUUID(), results: cards.slice(0, max).map((card) => world.rules.listView(card)) },
  };
}

function lookUp(world: World, call: Call): Card | undefined {
  const byToken = flag(world, call, 'byToken');
  const byProxy = flag(world, call, 'byProxy');
  const digital = flag(world, call, 'isDigital');
  if (byToken && byProxy) throw new Refusal(400, 'byProxy', 'One look-up at a time', 'conflict');
  if (byToken) return world.rules.byToken(call.client!, call.identifier);
  if (!byProxy) return world.rules.cardOf(call.client!, call.identifier);
  const program = needed(parameter(call, 'programIdentifier'), 'programIdentifier');
  return world.rules.byProxy(call.client!, call.identifier, program, needed(digital, 'isDigital'));
}

export function get(world: World, call: Call): Answer {
  const card = lookUp(world, call);
  if (!card) throw new Refusal(404, 'identifier', 'No such card', 'unknown');
  return { status: 200, body: world.rules.cardView(card) };
}

export function getBalance(world: World, call: Call): Answer {
  const card = found(world, call);
  world.rules.refresh(card, 'balance');
  return { status: 200, body: { balance: world.rules.balanceOf(card) / 100 } };
}

export function getStatus(world: World, call: Call): Answer {
  const card = found(world, call);
  world.rules.refresh(card, 'status');
  return { status: 200, body: { status: STATUS_NUMBERS[world.rules.statusOf(card)] } };
}

export function listRelated(world: World, call: Call): Answer {
  const cards = world.rules.related(call.client!, found(world, call));
  return {
    status: 200,
    body: { correlationId: randomUUID(), results: cards.map((card) => world.rules.listView(card)) },
  };
}

export function createToken(world: World, call: Call): Answer {
  const token = world.rules.newTemporaryToken(found(world, call));
  if (!world.temporaryTokens.includes(token)) world.temporaryTokens.push(token);
  if (world.temporaryTokens.length > 2000) world.temporaryTokens.shift();
  return { status: 201, body: { token: token.text, correlationId: randomUUID() } };
}

export function encryptForVde(world: World, call: Call): Answer {
  const card = found(world, call);
  const nonce = text(fields(call), 'nonce', true) ?? randomUUID();
  const encryptedPayload = createHash('sha512').update(`${card.identifier}|${nonce}`).digest('base64');
  return { status: 201, body: { encryptedPayload } };
}

/** An action on the state of a card; its answer has no body. */
export function action(name: Action, status: 200 | 201, check: (call: Call) => void = () => {}) {
  return (world: World, call: Call): Answer => {
    const card = found(world, call);
    check(call);
    if (!world.rules.allowed(card, name))
      throw new Refusal(409, 'identifier', `Not possible while the card is ${card.status}`, 'cardState');
    world.rules.act(card, name);
    return { status };
  };
}

export function checkPin(call: Call): void {
  const pin = text(fields(call), 'pin')!;
  if (!/^\d{4,6}$/.test(pin)) throw new Refusal(400, 'pin', 'A PIN has four to six digits', 'format');
}

export function checkReissue(call: Call): void {
  text(fields(call), 'externalIdentifier', true);
}

export function cardholders(world: World, call: Call): Answer {
  const cards = world.rules.cardsOf(call.client!).slice(0, 50);
  return { status: 200, body: { results: cards.map((card) => card.holder) } };
}

export function unknownHolder(): Answer {
  throw new Refusal(404, 'identifier', 'No such cardholder', 'unknown');
}

export function notOffered(world: World, call: Call): Answer {
  found(world, call);
  throw new Refusal(403, 'identifier', 'Not offered here', 'notOffered');
}
