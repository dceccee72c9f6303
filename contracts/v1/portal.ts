/** Properties shared by all operations of the portal. */
import { v1 } from '../documents.ts';
import type { Operation, SuccessBody } from '../operation.ts';

type Particulars = Pick<Operation, 'errors'> &
  Partial<
    Pick<
      Operation,
      'more' | 'statuses' | 'authorisation' | 'deprecated' | 'endpointSet' | 'query' | 'body' | 'risk' | 'source'
    >
  > & {
    success: SuccessBody;
  };

/** A portal operation at {portal_url}/_ah/api/<name>, with sessionId in the query unless stated otherwise. */
export function portal(name: string, title: string, method: 'GET' | 'POST', particulars: Particulars): Operation {
  const { success, ...rest } = particulars;
  return {
    id: `portal.${name}`,
    title,
    interface: 'v1',
    method,
    path: name,
    authorisation: 'session',
    endpointSet: 'customerendpoint',
    pathParameters: [],
    query: [],
    risk: 'safe',
    listedOnly: false,
    source: v1('Endpoints'),
    ...rest,
    success: { status: 200, body: success },
  };
}

/** The portal's general meaning of a status ("Errors"). */
export const portalStatuses: Readonly<Record<number, string>> = {
  400: 'Invalid input: the caller changes the parameters and retries.',
  401: 'The user is not entitled to the operation.',
  403: 'Understood but refused.',
  404: 'Resource not found.',
  500: 'Server error while processing.',
  503: 'Service unavailable.',
};
