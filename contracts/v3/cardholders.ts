/** The cardholders resource: only listed by the document, without parameters, bodies and responses. */
import { v3 } from '../documents.ts';
import type { Operation } from '../operation.ts';
import type { Risk } from '../record.ts';

function listed(id: string, title: string, method: 'GET' | 'PUT', path: string, risk: Risk): Operation {
  return {
    id: `cardholders.${id}`,
    title,
    interface: 'v3',
    method,
    path: `/cards/cardholders${path}`,
    authorisation: 'bearer',
    pathParameters: path === '' ? [] : [{ name: 'identifier', type: 'string', required: true }],
    query: [],
    errors: [],
    risk,
    listedOnly: true,
    source: v3('Cardholders'),
  };
}

export const cardholderOperations: readonly Operation[] = [
  listed('list', 'List cardholders', 'GET', '', 'safe'),
  listed('get', 'Retrieve one cardholder', 'GET', '/{identifier}', 'safe'),
  listed('update', 'Update a cardholder', 'PUT', '/{identifier}', 'irreversible'),
  listed('listCards', "List a cardholder's cards", 'GET', '/{identifier}/cards', 'safe'),
];
