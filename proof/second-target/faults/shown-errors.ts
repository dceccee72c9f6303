import { onReply, succeeded } from '../tools.ts';
import { type Draft, type Fault, spot } from './fault.ts';

const errors: Draft[] = [
  [
    'error-field-name-as-array',
    'cards.list',
    'v3, error, fieldName: string',
    (c) =>
      onReply(
        c,
        'cards.list',
        (reply) => void (succeeded(reply) || Object.assign(reply, { body: [{ fieldName: ['max'] }] })),
      ),
  ],
  [
    'errors-as-html',
    'users.list',
    'v3, Resources: all bodies are JSON',
    (c) =>
      onReply(
        c,
        'users.list',
        (reply) =>
          void (
            succeeded(reply) ||
            Object.assign(reply, { bytes: '<h1>Bad Request</h1>', headers: { 'Content-Type': 'text/html' } })
          ),
      ),
  ],
  [
    'bad-requests-answered-422',
    'users.list',
    'v3, GET users customers answers a bad request with 400',
    (c) => onReply(c, 'users.list', (reply) => void (reply.status === 400 && Object.assign(reply, { status: 422 }))),
  ],
  [
    'bad-requests-answered-500',
    'cards.list',
    'v3, GET cards answers a bad request with 400',
    (c) => onReply(c, 'cards.list', (reply) => void (reply.status === 400 && Object.assign(reply, { status: 500 }))),
  ],
  [
    'bad-customer-ids-answered-500',
    'portal.getCustomerProgramList',
    'portal, getCustomerProgramList: 400 invalid sessionId or customerId',
    (c) =>
      onReply(
        c,
        'portal.getCustomerProgramList',
        (reply) => void (reply.status === 400 && Object.assign(reply, { status: 500 })),
      ),
  ],
  [
    'bad-places-answered-422',
    'portal.getATMLocation',
    'portal, getATMLocation: 400 bad request data',
    (c) =>
      onReply(
        c,
        'portal.getATMLocation',
        (reply) => void (reply.status === 400 && Object.assign(reply, { status: 422 })),
      ),
  ],
  [
    'bad-people-answered-422',
    'portal.getCIPCheck',
    'portal, getCIPCheck: 400, 401, 500 error objects',
    (c) =>
      onReply(c, 'portal.getCIPCheck', (reply) => void (reply.status === 400 && Object.assign(reply, { status: 422 }))),
  ],
];

/** What answers already show to whoever looks: errors. */
export const shownErrorFaults: Fault[] = spot(12, [...errors]);
