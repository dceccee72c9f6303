import type { Freedom } from '../core/changes.ts';
import { before, freedom } from '../core/changes.ts';
import type { Answer, Refusal, World } from '../core/model.ts';

const v3 = (make: (refusal: Refusal) => unknown) => (world: World) => {
  world.rules.v3Errors = (refusal) => ({ status: refusal.status, body: make(refusal) });
};
const portal = (make: (refusal: Refusal) => unknown) => (world: World) => {
  world.rules.portalError = (refusal) => ({ status: refusal.status, body: make(refusal) });
};

/** Another status for refusals of a code or status. */
function restatus(world: World, side: 'v3' | 'portal', fits: (refusal: Refusal) => boolean, status: number): void {
  const name = side === 'v3' ? 'v3Errors' : 'portalError';
  const sound = world.rules[name];
  world.rules[name] = (refusal) => {
    const answer = sound(refusal);
    return fits(refusal) ? { ...answer, status } : answer;
  };
}

const unframed = (answer: Answer): Answer => ({ status: answer.status, headers: answer.headers });

const shapes: Freedom[] = [
  freedom(
    'v3-errors-message-alone',
    'An error says what is wrong, and nothing else',
    [12],
    v3(({ message }) => [{ errorMessage: message }]),
  ),
  freedom(
    'v3-errors-field-null-for-the-whole',
    'An error without a field has the field null',
    [12],
    v3(({ message, code, field }) => [
      { errorCode: code, errorMessage: message, fieldName: field === 'body' || field === 'identifier' ? null : field },
    ]),
  ),
  freedom(
    'v3-errors-two-at-a-time',
    'Each refusal is told twice: for programs and for people',
    [12],
    v3(({ message, code, field }) => [
      { errorCode: code, fieldName: field },
      { errorMessage: message, errorCode: `${code}.text` },
    ]),
  ),
  freedom(
    'v3-errors-with-more',
    'An error carries a severity, help and a path',
    [12, 4],
    v3(({ message, code, field, status }) => [
      {
        severity: 'low',
        errorCode: code,
        errorMessage: message,
        fieldName: field,
        help: `See ${status}`,
        path: `/${field}`,
      },
    ]),
  ),
  freedom(
    'v3-errors-code-of-digits',
    'Error codes are numbers, written as texts',
    [12],
    v3(({ message, status }) => [{ errorCode: `${status}017`, errorMessage: message, fieldName: '' }]),
  ),
  freedom(
    'portal-errors-items-of-messages',
    'An error object has items, an array of messages',
    [12, 34],
    portal(({ message, field }) => ({ items: [{ message }, { message: `See ${field}` }] })),
  ),
  freedom(
    'portal-errors-nested',
    'An error object has error with code, message and an array of errors',
    [12, 34],
    portal(({ status, message, field }) => ({
      error: { code: status, message, errors: [{ domain: 'desk', reason: 'invalid', location: field }] },
    })),
  ),
  freedom(
    'portal-errors-empty-object',
    'An error object is empty; the status says it',
    [12],
    portal(() => ({})),
  ),
  freedom(
    'portal-errors-as-cip-answers',
    'An error object looks like an answer of the identity check, without a result',
    [12, 38],
    portal(({ message }) => ({ returnCode: 1, data: { Error: message } })),
  ),
  freedom(
    'portal-errors-with-an-echo',
    'An error object names the field, and a list of what was looked at',
    [12, 34],
    portal(({ field, message }) => ({ sessionId: null, customerId: null, items: [], field, message })),
  ),
  freedom('token-errors-as-array', 'The token endpoint answers with the array of errors, too', [12], (world) => {
    world.rules.tokenError = (status, error) => ({
      status,
      body: [{ errorCode: error, errorMessage: 'No token was issued', fieldName: 'client_id' }],
    });
  }),
  freedom('token-errors-with-a-trace', 'Token errors carry a trace and their number', [12, 16], (world) => {
    world.rules.tokenError = (status, error) => ({
      status,
      body: {
        error,
        error_description: 'A-7000: see trace',
        error_codes: [7000],
        trace_id: 'b2',
        timestamp: '2026-01-01',
      },
    });
  }),
];

const bodiless: Freedom[] = [
  freedom('v3-401-without-body', 'Who has no token gets a 401 and nothing to read', [12, 17], (world) =>
    before(world, /^(users|cards|cardholders)\./, async (_call, next) => {
      const answer = await next();
      return answer.status === 401 ? unframed(answer) : answer;
    }),
  ),
  freedom('v3-404-without-body', 'What is not there is answered with 404 and nothing to read', [11, 12], (world) =>
    before(world, /^(users|cards|cardholders)\./, async (_call, next) => {
      const answer = await next();
      return answer.status === 404 ? unframed(answer) : answer;
    }),
  ),
  freedom('logout-failed-without-body', 'A failed logout has no body', [12, 33], (world) =>
    before(world, 'portal.logout', async (_call, next) => unframed(await next())),
  ),
  freedom('login-failed-without-body', 'A failed login has no body', [12, 32], (world) =>
    before(world, 'portal.login', async (_call, next) => {
      const answer = await next();
      return answer.status === 400 ? unframed(answer) : answer;
    }),
  ),
];

const statuses: Freedom[] = [
  freedom('card-state-400', 'A step that the state of the card forbids is a bad request', [27, 29], (world) =>
    restatus(world, 'v3', ({ code }) => code === 'cardState', 400),
  ),
  freedom('card-state-422', 'A step that the state of the card forbids answers 422', [27, 29], (world) =>
    restatus(world, 'v3', ({ code }) => code === 'cardState' || code === 'shortOfFunds', 422),
  ),
  freedom('unknown-target-404', 'A target card that is not there answers 404', [27], (world) =>
    restatus(world, 'v3', ({ code }) => code === 'unknownTarget', 404),
  ),
  freedom('orders-refused-422', 'An order that breaks a rule of its program answers 422', [42, 44], (world) =>
    restatus(world, 'portal', ({ status, field }) => [403, 409].includes(status) && field !== 'client', 422),
  ),
  freedom('orders-refused-400', 'Whatever is wrong with an order is a bad request', [42, 44], (world) =>
    restatus(world, 'portal', ({ status, field }) => [403, 409].includes(status) || field === 'custProgId', 400),
  ),
  freedom('bad-session-400-everywhere', 'A session that is not valid is a bad request', [34], (world) =>
    restatus(world, 'portal', ({ status, message }) => status === 401 && message === 'The session is not valid', 400),
  ),
  freedom('missing-body-415', 'A request without a body and without a media type answers 415', [6], (world) =>
    before(world, /^cards\.(transfer|reissue|setPin|encryptForVde)$|setPermissions$/, async (call, next) => {
      const answer = await next();
      const bare = call.text === '' && call.headers['content-type'] === undefined;
      return bare && answer.status === 400 ? { ...answer, status: 415 } : answer;
    }),
  ),
  freedom('unknown-program-list-403', 'A customer that is not one of yours answers 403', [40], (world) =>
    restatus(world, 'portal', ({ status, field }) => status === 404 && field === 'customerId', 403),
  ),
];

export const errorFreedoms: Freedom[] = [...shapes, ...bodiless, ...statuses];
