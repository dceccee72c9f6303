/** POST /cards/{identifier}/transfer. Source: cardTransferFunds, transfer and "Cards". */
import { randomUUID } from 'node:crypto';
import type { Call } from '../call.ts';
import type { Answer, Refusal, RefusalKind } from '../exchange.ts';
import { members, readMembers } from '../members.ts';
import type { Rules } from '../rules.ts';
import type { Card } from '../world.ts';
import { findCard, findNamedCard } from './find-card.ts';
import { touch } from './states.ts';

const transferBody = members({
  targetCardIdentifier: 'string!',
  amount: 'number!',
  comment: 'string',
  customFields: 'object',
});
const customFields = members({
  customField1: 'string',
  customField2: 'string',
  customField3: 'string',
  customField4: 'string',
  customField5: 'string',
});

/** Another card of the tenant to send money to, if a transfer without a target is let through. */
function someOtherCard(call: Call, source: Card): Card | undefined {
  return call.world.ownCards.find((card) => card !== source && card.state === 'active');
}

/** Cents moved if the amount is absent and let through. */
const CENTS_BY_DEFAULT = 100;

/** The amount in whole cents, and as requested. @throws Refused of kind `amount` */
function readAmount(call: Call, amount: unknown): { cents: number; exact: number } {
  const exact = amount === undefined ? CENTS_BY_DEFAULT : Number(amount) * 100;
  call.check(exact >= 0, 'amount', 'negative', 'An amount is greater than zero.');
  call.check(exact !== 0, 'amount', 'zero', 'An amount is greater than zero.');
  const whole = Math.round(exact);
  // A double represents cents precisely enough that a thousandth of a cent is an intended fraction.
  call.check(Math.abs(exact - whole) < 0.001, 'amount', 'fraction', 'An amount is in whole cents.');
  return { cents: whole, exact };
}

/** Moves the money. @returns the identifier of the transfer */
function moveMoney(call: Call, source: Card, target: Card | undefined, cents: number, exact: number): string {
  const { rules, world } = call;
  const identifier = randomUUID();
  const toItself = target === source;
  const debits = !toItself || rules.selfTransfer === 'debit-only';
  const credits = !toItself || rules.selfTransfer === 'credit-only';
  call.effect(() => {
    if (debits) source.balanceCents -= rules.transferDebit(cents, exact, source);
    if (credits && target) target.balanceCents += rules.transferCredit(cents, exact, target);
    touch(call, source);
    if (target && !toItself) touch(call, target);
    world.transfers.push({
      identifier,
      sourceIdentifier: source.identifier,
      targetIdentifier: target?.identifier ?? '',
      amountCents: cents,
    });
  }, source);
  return identifier;
}

/** The operation itself. */
export function transfer(call: Call): unknown {
  const source = findCard(call);
  const body = readMembers(call, call.object(), transferBody);
  const { targetCardIdentifier } = body;
  const fields = readMembers(call, (body.customFields ?? {}) as Record<string, unknown>, customFields, 'customFields.');
  const target =
    targetCardIdentifier === undefined
      ? someOtherCard(call, source)
      : findNamedCard(call, 'targetCardIdentifier', String(targetCardIdentifier));
  const { cents, exact } = readAmount(call, body.amount);
  call.check(target !== source, 'self', 'targetCardIdentifier', 'A card sends nothing to itself.');
  const paysFrom = call.rules.paysFrom(source, source.state === 'active');
  call.check(paysFrom, 'state', 'source', `The card is ${call.rules.statusName(source.state)}.`);
  const paysTo = !target || call.rules.paysTo(target, target.state === 'active');
  call.check(paysTo, 'state', 'target', 'The target card is not active.');
  call.check(cents <= source.balanceCents, 'funds', 'amount', 'The balance is too low.');
  const identifier = moveMoney(call, source, target, cents, exact);
  return {
    identifier,
    customerIdentifier: source.customerIdentifier,
    creationDate: call.now,
    lastUpdateDate: call.now,
    status: call.rules.transferStatusName(true),
    senderIdentifier: source.identifier,
    receiverIdentifier: target?.identifier ?? String(targetCardIdentifier),
    amount: call.rules.money(cents),
    comment: String(body.comment ?? ''),
    transferType: 'CardToCard',
    customFields: fields,
  };
}

/** Refusals that are never softened: authentication, path, and an unreadable body. */
const alwaysHard: ReadonlySet<RefusalKind> = new Set<RefusalKind>(['token', 'route', 'unknown', 'malformed-body']);

/** The 200 that shows that nothing was moved, if the rules refuse a transfer that way. */
export function softRefusal(refusal: Refusal, rules: Rules): Answer | undefined {
  const isPath = refusal.kind === 'foreign' && refusal.name === 'identifier';
  if (refusal.operation !== 'cards.transfer' || isPath || alwaysHard.has(refusal.kind)) return undefined;
  const style = rules.transferRefusalStyle(refusal);
  if (style === 'status') return undefined;
  const body: Record<string, unknown> = {
    identifier: randomUUID(),
    senderIdentifier: refusal.request.params.identifier,
    status: rules.transferStatusName(false),
  };
  if (style === '200-with-error-code') Object.assign(body, { errorCode: refusal.kind, errorMessage: refusal.message });
  return { status: 200, headers: {}, body };
}
