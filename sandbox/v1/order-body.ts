/** Members of an order and their allowed values. Source: "orderCards body". */
import type { Call } from '../call.ts';
import { members, readMembers } from '../members.ts';

const orderMembers = members({
  address1: 'string!',
  address2: 'string!',
  attn: 'string!',
  city: 'string!',
  state: 'string!',
  zip: 'string!',
  custProgId: 'integer!',
  isInstantIssue: 'boolean',
  qty: 'integer',
  shippingMethod: 'string',
  cardType: 'string',
  shippingFee: 'number!',
  cardFee: 'number!',
  totalValue: 'integer',
  campaignName: 'string',
  reasonCode: 'string',
  externalIdentifier: 'string',
  orderDetails: 'array!',
  orderProdType: 'string!',
  customerId: 'integer!',
  host: 'string',
});

const itemMembers = members({
  firstName: 'string!',
  lastName: 'string!',
  phone: 'string!',
  ssn: 'string!',
  dateOfBirth: 'string',
  email: 'string',
  embossedMessage: 'string',
  mailingAddr1: 'string',
  mailingAddr2: 'string',
  mailingCity: 'string',
  mailingState: 'string',
  mailingPostalCode: 'string',
  shippingAddress1: 'string',
  shippingAddress2: 'string',
  shippingCity: 'string',
  shippingState: 'string',
  shippingZip: 'string',
  shippingMethod: 'string',
  purseNo: 'integer',
  otherInfo: 'string',
  amount: 'number',
  comment: 'string',
  externalIdentifier: 'string',
  clientDefinedField1: 'string',
  clientDefinedField2: 'string',
  clientDefinedField3: 'string',
  clientDefinedField4: 'string',
  clientDefinedField5: 'string',
});

/** Values of orderProdType as documented, including the truncated one. */
const orderTypes: ReadonlySet<string> = new Set([
  'Personalized Payroll Order',
  'Instant Issue Payroll Order',
  'Reloadable-Corporate Reward Order',
  'Non Reloadable-Corporate Reward Orde',
  'Instant Corporate Reward Order',
  'Direct Order - CORP',
  'Personalized Purchasing Order',
  'Instant Issue Purchase Order',
]);

/** Whether the value of orderProdType is a documented one. */
export function isListedOrderType(orderProdType: string): boolean {
  return orderTypes.has(orderProdType);
}

/** One of the ordered cards. */
export interface OrderItem {
  otherInfo: string | undefined;
  externalIdentifier: string | undefined;
  amountCents: number;
}

/** An order with members of the right types; absent ones are `undefined`. */
export interface OrderBody {
  custProgId: number | undefined;
  customerId: number | undefined;
  orderProdType: string;
  cardType: 'Physical' | 'Digital';
  qty: number | undefined;
  totalValue: number | undefined;
  externalIdentifier: string | undefined;
  items: OrderItem[];
}

function readItem(call: Call, value: unknown): OrderItem {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  call.check(isObject, 'member-type', 'orderDetails', 'orderDetails is an array of objects.');
  const item = readMembers(call, isObject ? (value as Record<string, unknown>) : {}, itemMembers, 'orderDetails.');
  return {
    otherInfo: (item.otherInfo as string | undefined) || undefined,
    externalIdentifier: (item.externalIdentifier as string | undefined) || undefined,
    amountCents: Math.round(((item.amount as number | undefined) ?? 0) * 100),
  };
}

/** @throws Refused when something is absent, of the wrong type or outside the documented lists */
export function readOrder(call: Call): OrderBody {
  const { rules } = call;
  const body = readMembers(call, call.object(), orderMembers);
  const orderProdType = (body.orderProdType as string | undefined) ?? '';
  if (body.orderProdType !== undefined) {
    const listed = rules.listsOrderType(orderProdType, isListedOrderType(orderProdType));
    call.check(listed, 'list', 'orderProdType', 'orderProdType is one of the listed values.');
  }
  const cardType = body.cardType as string | undefined;
  if (cardType !== undefined) {
    const listed = rules.listsCardType(cardType, ['', 'Physical', 'Digital'].includes(cardType));
    call.check(listed, 'list', 'cardType', 'cardType is Physical or Digital.');
  }
  const details = body.orderDetails as unknown[] | undefined;
  call.check(details?.length !== 0, 'missing-member', 'orderDetails', 'orderDetails holds one object per card.');
  const qty = body.qty as number | undefined;
  call.check(qty === undefined || qty >= 1, 'range', 'qty', 'qty is at least 1.');
  return {
    custProgId: body.custProgId as number | undefined,
    customerId: body.customerId as number | undefined,
    orderProdType,
    cardType: cardType === 'Digital' ? 'Digital' : 'Physical',
    qty,
    totalValue: body.totalValue as number | undefined,
    externalIdentifier: (body.externalIdentifier as string | undefined) || undefined,
    items: (details ?? []).map((item) => readItem(call, item)),
  };
}
