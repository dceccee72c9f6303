/** Card ordering. */
import { z } from 'zod';
import { v1 } from '../documents.ts';
import type { ShapeNote } from '../operation.ts';
import { boolean, integer, number, optional, required, string } from '../types.ts';
import { portal } from './portal.ts';

/** Values as documented, including the truncated one; the last is named for the Corporate Purchasing product type. */
export const ORDER_PROD_TYPES = [
  'Personalized Payroll Order',
  'Instant Issue Payroll Order',
  'Reloadable-Corporate Reward Order',
  'Non Reloadable-Corporate Reward Orde',
  'Instant Corporate Reward Order',
  'Direct Order - CORP',
  'Personalized Purchasing Order',
  'Instant Issue Purchase Order',
] as const;
export const CARD_TYPES = ['Physical', 'Digital'] as const;

const orderDetail = z
  .object({
    ...required(string, 'firstName', 'lastName', 'phone', 'ssn'),
    ...optional(string, 'dateOfBirth', 'email', 'embossedMessage'),
    ...optional(string, 'mailingAddr1', 'mailingAddr2', 'mailingCity', 'mailingState', 'mailingPostalCode'),
    ...optional(string, 'shippingAddress1', 'shippingAddress2', 'shippingCity', 'shippingState', 'shippingZip'),
    shippingMethod: string.nullable().optional(),
    purseNo: integer.optional(),
    otherInfo: string.optional(),
    amount: number.optional(),
    ...optional(string, 'comment', 'externalIdentifier'),
    ...optional(
      string,
      'clientDefinedField1',
      'clientDefinedField2',
      'clientDefinedField3',
      'clientDefinedField4',
      'clientDefinedField5',
    ),
  })
  .meta({ id: 'OrderDetail', description: 'One card of an order.' });

const order = z
  .object({
    ...required(string, 'address1', 'address2', 'attn', 'city', 'state', 'zip'),
    custProgId: integer,
    isInstantIssue: boolean.optional(),
    qty: integer.optional(),
    shippingMethod: string.nullable().optional(),
    cardType: z
      .enum([...CARD_TYPES, ''])
      .nullable()
      .optional(),
    ...required(number, 'shippingFee', 'cardFee'),
    totalValue: integer.optional(),
    ...optional(string, 'campaignName', 'reasonCode', 'externalIdentifier'),
    orderDetails: z.array(orderDetail),
    orderProdType: z.enum(ORDER_PROD_TYPES),
    customerId: integer,
    host: string.optional(),
  })
  .meta({ id: 'Order', description: 'An order of one or more cards.' });

/** Members of an item of orderDetails whose required flag is 'yes'. */
export const REQUIRED_ITEM_MEMBERS = ['firstName', 'lastName', 'phone', 'ssn'] as const;

export const orderOperations = [
  portal('orderCards', 'Order cards', 'POST', {
    more: 'One card answers with an instant personalized proxy, several with an orderId; the rest of the answer is not shown.',
    endpointSet: 'orderendpoint',
    body: {
      mediaType: 'application/json',
      schema: order,
      required: true,
      requiredMembers: [
        'address1',
        'address2',
        'attn',
        'city',
        'state',
        'zip',
        'custProgId',
        'shippingFee',
        'cardFee',
        'orderDetails',
        'orderProdType',
        'customerId',
      ],
    },
    success: 'not shown',
    errors: [],
    risk: 'irreversible',
    source: v1('orderCards body'),
  }),
];

const orderDetailExample = { firstName: 'Ada', lastName: 'Example', phone: '555-0100', ssn: '123456789' };

/** The document's descriptions of the shapes, with an example of each. */
export const orderShapes: Record<string, ShapeNote> = {
  Order: {
    source: v1('orderCards body'),
    members: {
      custProgId: 'rowId from getCustomerProgramList.',
      qty: 'Number of cards for instant issue.',
      shippingMethod: 'From getShippingMethods; optional, and null allowed, for digital cards.',
      cardType: 'Empty or null means Physical.',
      totalValue: 'Overall load amount of the order.',
      externalIdentifier: 'Unique value that prevents duplicate orders, checked per program.',
      orderDetails: 'One per card.',
      orderProdType:
        'As written in the document, a truncated value included; which of them a program takes depends on its product.',
      host: 'Prepaid, or a second value that names a processing platform.',
    },
    example: {
      address1: '1 Example Street',
      address2: 'Floor 2',
      attn: 'Ada Example',
      city: 'Springfield',
      state: 'IL',
      zip: '62701',
      custProgId: 815,
      shippingFee: 4.5,
      cardFee: 2,
      orderDetails: [orderDetailExample],
      orderProdType: 'Personalized Payroll Order',
      customerId: 4711,
    },
  },
  OrderDetail: {
    source: v1('orderCards body'),
    members: {
      dateOfBirth: 'Recommended.',
      mailingAddr1: 'Recommended, like the other mailing members, when a replacement card is mailed to the cardholder.',
      shippingMethod: 'Recommended for physical cards.',
      otherInfo: 'Unique value, an employee id for instance, that prevents duplicate cards.',
      amount: 'Load amount for the card.',
      externalIdentifier: 'Unique value that prevents duplicate loads.',
    },
    example: orderDetailExample,
  },
};
