import { ok, type Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { Card } from '../world.ts';
import { cardOfPath } from './guard.ts';

/** An amount as whole cents, or nothing if it is not a positive number of them. */
function centsOf(amount: unknown): number | undefined {
  if (typeof amount !== 'number' || !(amount > 0) || amount > 1e9) return undefined;
  const cents = Math.round(amount * 100);
  return cents > 0 && cents / 100 === amount ? cents : undefined;
}

function checkTexts(x: Exchange, sent: JsonObject): void {
  const { comment, customFields } = sent;
  x.refuseIf(comment != null && typeof comment !== 'string', 'bad-field', 'comment');
  if (customFields == null) return;
  const fine = isObject(customFields) && Object.values(customFields).every((value) => typeof value === 'string');
  x.refuseIf(!fine, 'bad-field', 'customFields');
}

function checkTarget(x: Exchange, wanted: unknown): Card {
  x.refuseIf(typeof wanted !== 'string', 'missing-field', 'targetCardIdentifier');
  const target = x.world.cards.find((card) => x.choices.isSame(card.identifier, String(wanted), x));
  if (!target) return x.refuse('unknown-target', 'targetCardIdentifier');
  x.refuseIf(!target.owner.ours, 'target-out-of-reach', 'targetCardIdentifier');
  x.refuseIf(target === x.card, 'same-card', 'targetCardIdentifier');
  x.target = target;
  return target;
}

function checkAmount(x: Exchange, amount: unknown): void {
  const { least, most, step } = x.choices.transfers;
  const cents = centsOf(amount);
  x.refuseIf(cents === undefined, 'bad-amount', 'amount');
  x.cents = cents ?? Math.round(Number(amount) * 100);
  const offStep = x.cents % Math.round(step * 100) !== 0;
  x.refuseIf(offStep || x.cents < least * 100 || x.cents > most * 100, 'bad-amount', 'amount');
}

/** POST transfer: exact cents from the card of the path to the target card, all or nothing. */
export function transfer(x: Exchange): () => Reply {
  const card = cardOfPath(x);
  const { world, choices } = x;
  const sent = x.json();
  const target = checkTarget(x, sent.targetCardIdentifier);
  checkAmount(x, sent.amount);
  checkTexts(x, sent);
  x.refuseIf(!choices.spends.includes(card.facts.state), 'cannot-spend', 'status');
  x.refuseIf(!choices.receives.includes(target.facts.state), 'cannot-receive', 'targetCardIdentifier');
  x.refuseIf(card.facts.cents < x.cents, 'insufficient-funds', 'amount');
  return () => {
    choices.debit(card, x.cents, x);
    world.pay(target, x.cents);
    const today = choices.date(world.now());
    return ok({
      identifier: choices.identifier('transfer', world.next('transfer')),
      customerIdentifier: card.owner.identifier,
      creationDate: today,
      lastUpdateDate: today,
      status: 'booked',
      senderIdentifier: card.identifier,
      receiverIdentifier: target.identifier,
      amount: choices.money(x.cents),
      comment: sent.comment ?? undefined,
      transferType: 'C2C',
      customFields: sent.customFields ?? undefined,
      bookedBy: 'night shift',
    });
  };
}
