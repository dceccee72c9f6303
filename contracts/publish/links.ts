/** The flows that the documents describe, as links from an answer to the next request. */

/** An OpenAPI Link Object; its values are runtime expressions and constants, all of them text. */
export interface Link {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly requestBody?: Readonly<Record<string, string>>;
}

const body = (pointer: string) => `$response.body#${pointer}`;
const session = `The sessionId authenticates the call: ${body('/sessionId')}.`;

/** Links of the success answer, by operation id and then by name. */
export const links: Readonly<Record<string, Readonly<Record<string, Link>>>> = {
  'users.list': {
    nextPage: {
      operationId: 'users.list',
      description: 'The next page: max and filters are sent again with the token.',
      parameters: {
        token: body('/continuationToken'),
        max: '$request.query.max',
        parentIdentifier: '$request.query.parentIdentifier',
        name: '$request.query.name',
        v1Identifier: '$request.query.v1Identifier',
      },
    },
    customer: {
      operationId: 'users.get',
      description: 'One customer of the page.',
      parameters: { identifier: body('/results/0/identifier') },
    },
  },
  'cards.list': {
    card: {
      operationId: 'cards.get',
      description: 'One card of the listing.',
      parameters: { identifier: body('/results/0/identifier') },
    },
  },
  'cards.createToken': {
    lookUp: {
      operationId: 'cards.get',
      description: 'The card that the temporary token identifies. That byToken takes this token is inferred.',
      parameters: { identifier: body('/token'), byToken: 'true' },
    },
  },
  'cards.suspend': {
    unsuspend: {
      operationId: 'cards.unsuspend',
      description: 'Takes the suspension back.',
      parameters: { identifier: '$request.path.identifier' },
    },
  },
  'portal.login': {
    hierarchy: {
      operationId: 'portal.getCustomerHierarchy',
      description: `The customers of the login. ${session}`,
      parameters: { customerId: body('/customerId') },
    },
    programs: {
      operationId: 'portal.getCustomerProgramList',
      description: `The programs of the login's customer. ${session}`,
      parameters: { customerId: body('/customerId'), showAutoCreated: 'false', showBranded: 'true' },
    },
    logout: { operationId: 'portal.logout', description: `Ends the session. ${session}` },
  },
  'portal.getCustomerHierarchy': {
    programs: {
      operationId: 'portal.getCustomerProgramList',
      description: 'The programs of a customer of the hierarchy.',
      parameters: { customerId: body('/items/0/customerId'), showAutoCreated: 'false', showBranded: 'true' },
    },
  },
  'portal.getCustomerProgramList': {
    order: {
      operationId: 'portal.orderCards',
      description: 'An order of cards of the program; the body has more required members.',
      requestBody: { custProgId: body('/items/0/rowId'), customerId: body('/items/0/customerId') },
    },
  },
  'portal.getShippingMethods': {
    order: {
      operationId: 'portal.orderCards',
      description: 'An order shipped by the method; the body has more required members.',
      requestBody: { shippingMethod: body('/items/0') },
    },
  },
};
