/**
 * The flows that the documents describe, as links from an answer to the next request. A link supplies every required
 * parameter; there are none for values that only a body can carry (custProgId of an order), or for a logout that would
 * end the session in use.
 */

/** An OpenAPI Link Object; its values are runtime expressions and constants, all of them texts. */
export interface Link {
  readonly operationId: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const body = (pointer: string) => `$response.body#${pointer}`;
const session = `Authenticated by the sessionId of the answer: ${body('/sessionId')}.`;

/** Links of successful answers, by operation id and then by name. */
export const links: Readonly<Record<string, Readonly<Record<string, Link>>>> = {
  'users.list': {
    nextPage: {
      operationId: 'users.list',
      description: 'The next page; max and filters that were sent are sent again with the token.',
      parameters: { token: body('/continuationToken') },
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
  },
  'portal.getCustomerHierarchy': {
    programs: {
      operationId: 'portal.getCustomerProgramList',
      description: 'The programs of a customer of the hierarchy.',
      parameters: { customerId: body('/items/0/customerId'), showAutoCreated: 'false', showBranded: 'true' },
    },
  },
};
