/** Session management of the portal: login and logout. */
import { z } from 'zod';
import { v1 } from '../documents.ts';
import { boolean, integer, optional, string } from '../types.ts';
import { portal } from './portal.ts';

/** Answer of login. sessionId and customerId are what it is for: they are required here. */
export const user = z
  .object({
    sessionId: string,
    customerId: integer,
    userId: integer.optional(),
    ...optional(string, 'loginId', 'firstName', 'lastName', 'email', 'customerType', 'customerName', 'role'),
    ...optional(boolean, 'isHost', 'isHostAdmin', 'deleted', 'canLoadCard', 'canViewLoadHistory'),
    ...optional(string, 'kind', 'etag'),
  })
  .meta({ id: 'User', description: 'The logged-in user and the session.' });

export const sessionOperations = [
  portal('login', 'Log in', 'POST', {
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
  portal('logout', 'Log out', 'POST', { endpointSet: 'userendpoint', success: 'none', errors: [400] }),
];
