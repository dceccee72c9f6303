/** Session management of the portal: login and logout. */
import { z } from 'zod';
import { v1 } from '../documents.ts';
import type { ShapeNote } from '../operation.ts';
import { boolean, integer, optional, product, string } from '../types.ts';
import { portal } from './portal.ts';

/** Answer of login. sessionId and customerId are its purpose, so they are required here. */
const user = z
  .object({
    sessionId: product,
    customerId: integer,
    userId: integer.optional(),
    ...optional(string, 'loginId', 'firstName', 'lastName', 'email', 'customerType', 'customerName', 'role'),
    ...optional(boolean, 'isHost', 'isHostAdmin', 'deleted', 'canLoadCard', 'canViewLoadHistory'),
    ...optional(string, 'kind', 'etag'),
  })
  .meta({ id: 'User', description: 'The logged-in user and the session.' });

export const sessionOperations = [
  portal('login', 'Log in', 'POST', {
    more: 'The sessionId of the answer authenticates every other operation, until logout.',
    statuses: { 400: 'Invalid login id or password, or incorrect verification code.' },
    authorisation: 'none',
    endpointSet: 'userendpoint',
    query: [
      { name: 'loginID', type: 'string', required: true },
      { name: 'password', type: 'string', required: true },
    ],
    success: user,
    errors: [400],
    source: v1('Endpoints'),
  }),
  portal('logout', 'Log out', 'POST', {
    more: 'The session ends.',
    statuses: { 400: 'Logout failed.' },
    endpointSet: 'userendpoint',
    success: 'none',
    errors: [400],
  }),
];

/** The document's descriptions of the shapes, with an example of each. */
export const sessionShapes: Record<string, ShapeNote> = {
  User: {
    source: v1('User (login response)'),
    members: {
      sessionId: 'Authenticates later calls, until logout.',
      customerId: 'Feeds the customer and program lookups.',
    },
    example: {
      userId: 1,
      loginId: 'ada',
      sessionId: 'invented-session',
      firstName: 'Ada',
      lastName: 'Example',
      customerId: 4711,
      customerName: 'Example Rewards',
      role: 'admin',
      isHost: false,
      canLoadCard: true,
    },
  },
};
