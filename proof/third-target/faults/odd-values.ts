import type { Fault } from '../core/changes.ts';
import { around, before, bodyOf, crash, faultsOf } from '../core/changes.ts';
import type { Answer, Call, World } from '../core/model.ts';

const fault = faultsOf('odd values');

/** An operation that breaks where its request is of a certain kind. */
function breaks(world: World, operation: string, on: (call: Call) => boolean): void {
  around(world, operation, (call, next) => (on(call) ? crash() : next()));
}

/** A 400 in another shape, where its request is of a certain kind. */
function misshapes(
  world: World,
  operation: string,
  on: (call: Call) => boolean,
  shape: (answer: Answer) => Answer,
): void {
  before(world, operation, async (call, next) => {
    const answer = await next();
    return answer.status === 400 && on(call) ? shape(answer) : answer;
  });
}

const text = (call: Call, name: string) => String(bodyOf(call)[name] ?? '');
const asked = (call: Call, name: string) => call.query.get(name) ?? '';
const beyondAscii = (value: string) => /[^\x20-\x7e]/.test(value);
const plain = (raw: string) => (): Answer => ({ status: 400, headers: { 'content-type': 'text/plain' }, raw });

const transfers: Fault[] = [
  fault(
    'comment-longer-than-its-column',
    'cards.transfer',
    9,
    'A comment of more than 255 characters breaks',
    (world) => breaks(world, 'cards.transfer', (call) => text(call, 'comment').length > 255),
  ),
  fault('comment-beyond-ascii', 'cards.transfer', 9, 'A comment with letters beyond ASCII breaks', (world) =>
    breaks(world, 'cards.transfer', (call) => beyondAscii(text(call, 'comment'))),
  ),
  fault(
    'comment-with-a-quote',
    'cards.transfer',
    9,
    'A comment with a quote breaks the statement it is put into',
    (world) => breaks(world, 'cards.transfer', (call) => /['"]/.test(text(call, 'comment'))),
  ),
  fault(
    'comment-with-a-percent-sign',
    'cards.transfer',
    9,
    'A comment with a percent sign breaks the format it is put into',
    (world) => breaks(world, 'cards.transfer', (call) => text(call, 'comment').includes('%')),
  ),
  fault('custom-fields-empty', 'cards.transfer', 9, 'customFields without a member breaks', (world) =>
    breaks(world, 'cards.transfer', (call) => JSON.stringify(bodyOf(call).customFields) === '{}'),
  ),
  fault('target-that-does-not-exist', 'cards.transfer', 9, 'A target card that does not exist breaks', (world) =>
    breaks(world, 'cards.transfer', (call) => {
      const target = text(call, 'targetCardIdentifier');
      return target !== '' && !world.cards.some(({ identifier }) => identifier === target);
    }),
  ),
  fault(
    'transfer-of-garbage-in-plain-text',
    'cards.transfer',
    12,
    'A body that is no JSON is answered with a 400 of plain text',
    (world) =>
      misshapes(
        world,
        'cards.transfer',
        (call) => call.text !== '' && call.body === undefined,
        plain('Unexpected token'),
      ),
  ),
  fault(
    'reissue-of-null-in-an-object',
    'cards.reissue',
    12,
    'A body of null is answered with a 400 that is one object',
    (world) =>
      misshapes(
        world,
        'cards.reissue',
        (call) => call.body === null,
        () => ({ status: 400, body: { title: 'One or more errors' } }),
      ),
  ),
  fault(
    'pin-of-an-array-with-numbers',
    'cards.setPin',
    12,
    'A body of the wrong kind is answered with errorCode as a number',
    (world) =>
      misshapes(
        world,
        'cards.setPin',
        (call) => Array.isArray(call.body) || call.body === undefined,
        () => ({
          status: 400,
          body: [{ errorCode: 400, errorMessage: 'Body', fieldName: 'body' }],
        }),
      ),
  ),
];

const queries: Fault[] = [
  fault('name-with-a-quote', 'users.list', 9, 'A quote in a name breaks the search', (world) =>
    breaks(world, 'users.list', (call) => asked(call, 'name').includes("'")),
  ),
  fault(
    'name-decoded-twice',
    'users.list',
    9,
    'A name is decoded once too often, so that a percent sign breaks',
    (world) =>
      around(world, 'users.list', (call, next) => {
        decodeURIComponent(asked(call, 'name'));
        return next();
      }),
  ),
  fault('name-beyond-ascii', 'users.list', 9, 'A name with letters beyond ASCII breaks', (world) =>
    breaks(world, 'users.list', (call) => beyondAscii(asked(call, 'name'))),
  ),
  fault('name-is-a-pattern', 'users.list', 9, 'A name is compiled as a pattern, and an open bracket breaks', (world) =>
    around(world, 'users.list', (call, next) => {
      new RegExp(asked(call, 'name'));
      return next();
    }),
  ),
  fault(
    'name-that-nobody-has',
    'users.list',
    11,
    'A name that nobody has is answered with 404, not with an empty list',
    (world) =>
      around(world, 'users.list', async (call, next) => {
        const answer = await next();
        const none = (answer.body as { results?: unknown[] }).results?.length === 0;
        return none && asked(call, 'name') ? { status: 404, body: [{ errorMessage: 'Nobody' }] } : answer;
      }),
  ),
  fault('max-given-twice', 'users.list', 9, 'max given twice breaks', (world) =>
    breaks(world, 'users.list', (call) => call.query.getAll('max').length > 1),
  ),
  fault('max-that-is-a-word', 'users.list', 18, 'max that is no number breaks instead of being refused', (world) =>
    breaks(world, 'users.list', (call) => /[a-z]/i.test(asked(call, 'max'))),
  ),
  fault('filter-given-twice', 'cards.list', 9, 'A filter given twice breaks', (world) =>
    breaks(
      world,
      'cards.list',
      (call) =>
        call.query.getAll('externalIdentifier').length > 1 || call.query.getAll('customerIdentifier').length > 1,
    ),
  ),
  fault(
    'bad-max-in-an-object',
    'cards.list',
    12,
    'max that is no number is answered with a 400 that is one object',
    (world) =>
      misshapes(
        world,
        'cards.list',
        (call) => /[a-z]/i.test(asked(call, 'max')),
        () => ({
          status: 400,
          body: { errorCode: 'max', errorMessage: 'max is no number' },
        }),
      ),
  ),
  fault(
    'is-digital-missing-in-plain-text',
    'cards.get',
    12,
    'byProxy without isDigital is answered with a 400 of plain text',
    (world) => misshapes(world, 'cards.get', (call) => asked(call, 'byProxy') === 'true', plain('isDigital?')),
  ),
  fault('card-with-an-odd-name', 'cards.get', 9, 'An identifier that is no UUID breaks the parser', (world) =>
    breaks(world, 'cards.get', (call) => call.query.size === 0 && !/^[0-9a-f-]{36}$/i.test(call.identifier)),
  ),
  fault(
    'customer-with-an-odd-name',
    'users.get',
    9,
    'An unknown customer breaks: nothing was found, and it is read',
    (world) =>
      breaks(world, 'users.get', (call) => world.rules.customerOf(call.client!, call.identifier) === undefined),
  ),
];

const others: Fault[] = [
  fault(
    'no-permissions-at-all',
    'users.setPermissions',
    21,
    'An empty object of permissions is refused: nothing to change',
    (world) =>
      around(world, 'users.setPermissions', (call, next) =>
        JSON.stringify(call.body) === '{}' ? { status: 400, body: [{ errorMessage: 'Nothing to change' }] } : next(),
      ),
  ),
  fault('no-nonce-at-all', 'cards.encryptForVde', 30, 'An empty object breaks, since the nonce is read', (world) =>
    breaks(world, 'cards.encryptForVde', (call) => bodyOf(call).nonce === undefined && call.body !== undefined),
  ),
  fault(
    'birthday-of-the-29th-of-february',
    'portal.getCIPCheck',
    39,
    'Who was born on the 29th of February breaks',
    (world) => breaks(world, 'portal.getCIPCheck', (call) => bodyOf(call).dobMonth === 2 && bodyOf(call).dobDay === 29),
  ),
  fault(
    'birthday-in-december',
    'portal.getCIPCheck',
    39,
    'Months are counted from 0 somewhere, and the first of the next one is asked for: December breaks',
    (world) =>
      breaks(
        world,
        'portal.getCIPCheck',
        (call) => bodyOf(call).dobMonth === 12 && bodyOf(call).ssnLast4 === undefined,
      ),
  ),
  fault('birthday-of-the-31st', 'portal.getCIPCheck', 39, 'Who was born on a 31st breaks', (world) =>
    breaks(world, 'portal.getCIPCheck', (call) => bodyOf(call).dobDay === 31),
  ),
  fault('name-with-an-apostrophe', 'portal.getCIPCheck', 39, 'A last name with an apostrophe breaks', (world) =>
    breaks(world, 'portal.getCIPCheck', (call) => text(call, 'lastName').includes("'")),
  ),
  fault('cip-of-null', 'portal.getCIPCheck', 6, 'A body of null breaks instead of being refused', (world) =>
    breaks(world, 'portal.getCIPCheck', (call) => call.body === null || call.body === undefined),
  ),
  fault(
    'cip-of-garbage-in-plain-text',
    'portal.getCIPCheck',
    12,
    'A body that is no JSON is answered with a 400 of plain text',
    (world) =>
      misshapes(
        world,
        'portal.getCIPCheck',
        (call) => call.text !== '' && call.body === undefined,
        plain('Bad request'),
      ),
  ),
  fault(
    'order-comment-beyond-ascii',
    'portal.orderCards',
    9,
    'A comment or name with letters beyond ASCII breaks an order',
    (world) =>
      breaks(world, 'portal.orderCards', (call) => beyondAscii(JSON.stringify(bodyOf(call).orderDetails ?? ''))),
  ),
  fault(
    'order-address-with-a-quote',
    'portal.orderCards',
    9,
    'An apostrophe in attn or an address breaks an order',
    (world) =>
      breaks(world, 'portal.orderCards', (call) =>
        ['attn', 'address1', 'city'].some((name) => text(call, name).includes("'")),
      ),
  ),
  fault(
    'page-of-machines-beyond-the-end',
    'portal.getATMLocation',
    9,
    'A page beyond the last cash machine breaks',
    (world) => breaks(world, 'portal.getATMLocation', (call) => Number(asked(call, 'pageOffset')) >= 42),
  ),
];

export const oddValues: Fault[] = [...transfers, ...queries, ...others];
