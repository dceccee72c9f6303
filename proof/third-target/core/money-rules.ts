import { randomUUID } from 'node:crypto';
import type { Card, Fields, Rules, World } from './model.ts';
import { change, Refusal } from './model.ts';

export function moneyRules(world: World) {
  return {
    cents(amount: number): number | undefined {
      const cents = Math.round(amount * 100);
      return Math.abs(amount * 100 - cents) < 1e-6 ? cents : undefined;
    },
    transferProblem(source: Card, target: Card | undefined, cents: number, _body: Fields): Refusal | undefined {
      if (!target) return new Refusal(400, 'targetCardIdentifier', 'The target card is not known', 'unknownTarget');
      if (target === source) return new Refusal(400, 'targetCardIdentifier', 'Source and target are the same card');
      if (cents <= 0) return new Refusal(400, 'amount', 'The amount must be positive', 'amountRange');
      if (source.status !== 'Active') return new Refusal(409, 'identifier', 'The card cannot pay', 'cardState');
      if (target.status !== 'Active') return new Refusal(409, 'targetCardIdentifier', 'The target cannot receive');
      if (source.cents < cents) return new Refusal(409, 'amount', 'The balance is too small', 'shortOfFunds');
      return undefined;
    },
    move(source: Card, target: Card, cents: number): void {
      change(world, source, { cents: source.cents - cents });
      change(world, target, { cents: target.cents + cents });
    },
    transferView: (source: Card, target: Card, cents: number, body: Fields): Fields => ({
      transferType: 'CardToCard',
      identifier: randomUUID(),
      customerIdentifier: source.customer.identifier,
      senderIdentifier: source.identifier,
      receiverIdentifier: target.identifier,
      amount: cents / 100,
      status: 'Completed',
      creationDate: new Date(world.now()).toISOString(),
      lastUpdateDate: new Date(world.now()).toISOString(),
      ...(typeof body.comment === 'string' ? { comment: body.comment } : {}),
    }),
  } satisfies Partial<Rules>;
}
