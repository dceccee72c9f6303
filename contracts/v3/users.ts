/** The customers (users) resource. */
import { z } from 'zod';
import { v3 } from '../documents.ts';
import type { Operation, Parameter, ShapeNote } from '../operation.ts';
import { boolean, optional, string } from '../types.ts';

/** Most records that one request of the customers listing gives (Limits). */
export const USERS_MAX = 50;

const customer = z
  .object({ identifier: string })
  .meta({ id: 'customer', description: 'A customer. Answered alone it has no other product than its identifier.' });

/** A customer among others: no single member is indispensable. */
const listedCustomer = customer.partial().meta({ id: 'listedCustomer', description: 'A customer in a listing.' });

const customerResults = z
  .object({ continuationToken: string.optional(), results: z.array(listedCustomer).optional() })
  .meta({ id: 'customerResults', description: 'One page of matching customers.' });

const customerPermissions = z
  .object(optional(boolean, 'canSearchLoads', 'canSearchSpends'))
  .meta({ id: 'customerPermissions', description: 'What a customer may search.' });

const identifier: Parameter = {
  name: 'identifier',
  type: 'string',
  required: true,
  note: 'customer identifier',
};

const operation = {
  interface: 'v3',
  authorisation: 'bearer',
  listedOnly: false,
  source: v3('Users'),
} as const;

export const userOperations: readonly Operation[] = [
  {
    ...operation,
    id: 'users.list',
    title: 'Search customers',
    more: 'Pages follow continuationToken until none comes; max and filters are sent again with it.',
    method: 'GET',
    path: '/users/customers',
    pathParameters: [],
    query: [
      {
        name: 'max',
        type: 'integer',
        required: false,
        maximum: USERS_MAX,
        note: 'at most 50 per request',
        example: 25,
      },
      { name: 'token', type: 'string', required: false, note: 'continuation' },
      {
        name: 'parentIdentifier',
        type: 'string',
        required: false,
        note: 'parent customer to search within',
      },
      {
        name: 'name',
        type: 'string',
        required: false,
        note: 'customers whose name contains the value',
      },
      {
        name: 'v1Identifier',
        type: 'string',
        required: false,
        note: 'identifier in the v1 portal system',
      },
    ],
    success: { status: 200, body: customerResults },
    errors: [400],
    statuses: { 400: 'A bad request.' },
    risk: 'safe',
  },
  {
    ...operation,
    id: 'users.get',
    title: 'Retrieve one customer',
    method: 'GET',
    path: '/users/customers/{identifier}',
    pathParameters: [identifier],
    query: [],
    success: { status: 200, body: customer },
    errors: [],
    risk: 'safe',
  },
  {
    ...operation,
    id: 'users.setPermissions',
    title: "Update a customer's permissions",
    more: 'Either permission may be left out.',
    method: 'PUT',
    path: '/users/customers/{identifier}/permissions',
    pathParameters: [identifier],
    query: [],
    body: { mediaType: 'application/json', schema: customerPermissions, required: true, requiredMembers: [] },
    success: { status: 200, body: customer },
    errors: [],
    risk: 'irreversible',
  },
];

const customerExample = { identifier: 'customer-0001' };

/** The document's descriptions of the shapes, with an example of each. */
export const userShapes: Record<string, ShapeNote> = {
  customer: { source: v3('customer'), members: { identifier: 'Customer identifier.' }, example: customerExample },
  listedCustomer: { source: v3('customer'), members: { identifier: 'Customer identifier.' }, example: customerExample },
  customerResults: {
    source: v3('customerResults'),
    members: {
      continuationToken: 'Sent back as the parameter token it gives the next page; absent on the last one.',
      results: 'Matching customers.',
    },
    example: { continuationToken: 'page-2', results: [customerExample, { identifier: 'customer-0002' }] },
  },
  customerPermissions: {
    source: v3('customerPermissions (all fields optional)'),
    members: {
      canSearchLoads: 'Whether the customer may search load records.',
      canSearchSpends: 'Whether the customer may search unload (spend) records.',
    },
    example: { canSearchLoads: true, canSearchSpends: false },
  },
};
