import { ok, type Reply } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { familyOf, type Program } from '../world.ts';
import { checkDuplicates, checkOptions, remember } from './order-rules.ts';
import { shippingMethods } from './portal-lookups.ts';

const orderTypes = {
  payroll: ['Personalized Payroll Order', 'Instant Issue Payroll Order'],
  reward: [
    'Reloadable-Corporate Reward Order',
    'Non Reloadable-Corporate Reward Orde',
    'Instant Corporate Reward Order',
    'Direct Order - CORP',
  ],
  purchasing: ['Personalized Purchasing Order', 'Instant Issue Purchase Order'],
};

const types = {
  string: (value: Json) => typeof value === 'string',
  integer: (value: Json) => Number.isSafeInteger(value),
  number: (value: Json) => typeof value === 'number',
  boolean: (value: Json) => typeof value === 'boolean',
};

type Fields = Partial<Record<keyof typeof types, string>>;

const required: Fields = {
  string: 'address1 address2 attn city state zip orderProdType',
  integer: 'custProgId customerId',
  number: 'shippingFee cardFee',
};
const optional: Fields = {
  string: 'shippingMethod cardType campaignName reasonCode externalIdentifier host',
  integer: 'qty totalValue',
  boolean: 'isInstantIssue',
};
const requiredOfCard: Fields = { string: 'firstName lastName phone ssn' };
const optionalOfCard: Fields = {
  string:
    'dateOfBirth email embossedMessage mailingAddr1 mailingAddr2 mailingCity mailingState mailingPostalCode ' +
    'shippingAddress1 shippingAddress2 shippingCity shippingState shippingZip shippingMethod otherInfo comment ' +
    'externalIdentifier clientDefinedField1 clientDefinedField2 clientDefinedField3 clientDefinedField4 clientDefinedField5',
  integer: 'purseNo',
  number: 'amount',
};

function checkFields(x: Exchange, sent: JsonObject, fields: Fields, mayMiss: boolean): void {
  for (const [type, names] of Object.entries(fields)) {
    for (const name of names.split(' ')) {
      const missing = mayMiss && sent[name] == null;
      x.refuseIf(!missing && !types[type as keyof typeof types](sent[name]), 'bad-order', name);
    }
  }
}

function checkShape(x: Exchange, order: JsonObject): JsonObject[] {
  checkFields(x, order, required, false);
  checkFields(x, order, optional, true);
  const details = order.orderDetails;
  x.refuseIf(!Array.isArray(details) || !details.length || !details.every(isObject), 'bad-order', 'orderDetails');
  const cards = (Array.isArray(details) ? details : []).filter(isObject);
  for (const card of cards) {
    checkFields(x, card, requiredOfCard, false);
    checkFields(x, card, optionalOfCard, true);
  }
  return cards;
}

function checkValues(x: Exchange, order: JsonObject): void {
  const { orderProdType, cardType, shippingMethod } = order;
  x.refuseIf(!Object.values(orderTypes).flat().includes(String(orderProdType)), 'bad-order', 'orderProdType');
  x.refuseIf(!['Physical', 'Digital', ''].includes(String(cardType ?? '')), 'bad-order', 'cardType');
  x.refuseIf(!!shippingMethod && !shippingMethods.includes(String(shippingMethod)), 'bad-order', 'shippingMethod');
  x.refuseIf(order.qty != null && Number(order.qty) < 1, 'bad-order', 'qty');
}

function programOf(x: Exchange, order: JsonObject): Program {
  const program = x.world.programs.find(({ rowId }) => rowId === order.custProgId);
  if (!program) return x.refuse('unknown-program', 'custProgId');
  const reach = familyOf(x.session!.user.customer);
  x.refuseIf(!reach.includes(program.customer), 'foreign-program', 'custProgId');
  x.refuseIf(program.customer.v1Id !== order.customerId, 'bad-order', 'customerId');
  x.refuseIf(!orderTypes[program.family].includes(String(order.orderProdType)), 'bad-order', 'orderProdType');
  return program;
}

/** POST orderCards: the whole order, or none of it. */
export function orderCards(x: Exchange): () => Reply {
  const order = x.json();
  const cards = checkShape(x, order);
  checkValues(x, order);
  const program = programOf(x, order);
  x.program = program;
  checkOptions(x, program, order, cards);
  checkDuplicates(x, program, order, cards);
  return () => {
    remember(program, order, cards);
    const orderId = 70_000_000_000 + x.world.next('order');
    const single = cards.length === 1 && String(order.orderProdType).includes('Personalized');
    const proxy = single ? x.choices.identifier('proxy', 9000 + x.world.next('ordered')) : undefined;
    return ok(x.choices.orderReply(proxy ? { proxy } : { orderId }));
  };
}
