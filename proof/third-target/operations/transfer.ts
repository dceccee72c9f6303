import type { Answer, Call, Fields, World } from '../core/model.ts';
import { isObject, Refusal } from '../core/model.ts';
import { found } from './cards.ts';
import { fields, text } from './read.ts';

function checkCustomFields(value: unknown): void {
  if (value === undefined || value === null) return;
  const texts = isObject(value) && Object.values(value).every((one) => one === null || typeof one === 'string');
  if (!texts) throw new Refusal(400, 'customFields', 'customFields is an object of texts', 'type');
}

function amount(world: World, body: Fields): number {
  if (typeof body.amount !== 'number') throw new Refusal(400, 'amount', 'amount is a required number', 'missing');
  const cents = world.rules.cents(body.amount);
  if (cents === undefined) throw new Refusal(400, 'amount', 'An amount has two decimals at most', 'format');
  return cents;
}

export async function transfer(world: World, call: Call): Promise<Answer> {
  const source = found(world, call);
  const body = fields(call);
  const target = world.rules.cardOf(call.client!, text(body, 'targetCardIdentifier')!);
  text(body, 'comment', true);
  checkCustomFields(body.customFields);
  const cents = amount(world, body);
  const problem = world.rules.transferProblem(source, target, cents, body);
  if (problem) throw problem;
  await world.rules.move(source, target!, cents);
  return { status: 200, body: world.rules.transferView(source, target!, cents, body) };
}
