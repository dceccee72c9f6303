/** Sound implementations that are unavailable for a moment, or whose answers are lost or cut on the wire. */
import { operation as operationById } from '../../contracts/operations.ts';
import type { Answer, AnswerContext } from '../../sandbox/index.ts';
import { memory } from '../changed-sandbox.ts';
import { answered, implemented, type Variant } from './variant.ts';

const BASIS = '503: service unavailable';

/** Every n-th success of some operations, beginning with the first, reaches nobody. @param more of its answer */
function unavailable(name: string, operations: readonly string[], more: object = {}, every = 1): Variant {
  let successes = 0;
  return answered(
    name,
    (answer, { operation }) =>
      operations.includes(operation) && answer.status < 300 && successes++ % every === 0
        ? { ...answer, status: 503, body: undefined, ...more, headers: { ...answer.headers, ...Object(more).headers } }
        : undefined,
    { basis: BASIS },
  );
}

const CUT = { transport: { cutAfterBytes: 0 } };

/** The first request of each changing operation is not carried out, since the service is unavailable. */
function firstChangesUnavailable(name: string, headers: Record<string, string>): Variant {
  const metIn = memory(() => new Set<string>());
  let isFirst = false;
  return implemented(
    name,
    {
      rules: {
        meanwhile: (world, { operation }) => {
          const met = metIn(world);
          isFirst = operationById(operation).risk !== 'safe' && !met.has(operation);
          met.add(operation);
        },
        unavailable: () => (isFirst ? { status: 503, headers, body: undefined } : undefined),
      },
    },
    { basis: BASIS, standsAlone: true },
  );
}

/** Requests are carried out, but some of their answers reach nobody. */
const losing = (name: string, isLost: (context: AnswerContext) => boolean): Variant =>
  answered(name, (answer, context): Answer | undefined => (isLost(context) ? { ...answer, ...CUT } : undefined), {
    served: true,
    basis: 'HTTP: a connection may be closed at any time',
  });

/** One answer of each operation is lost, the first. */
function firstOfEach(): (context: AnswerContext) => boolean {
  const metIn = memory(() => new Set<string>());
  return ({ operation, world }) => {
    const isFirst = !metIn(world).has(operation);
    metIn(world).add(operation);
    return isFirst;
  };
}

/** Answers are lost for some milliseconds, once, from the n-th request on. */
function forAMoment(from: number, milliseconds: number): () => boolean {
  let requests = 0;
  let until = Number.NEGATIVE_INFINITY;
  return () => {
    if (++requests === from) until = performance.now() + milliseconds;
    return performance.now() < until;
  };
}

function everyNth(every: number): () => boolean {
  let requests = 0;
  return () => ++requests % every === 0;
}

export const wireVariants: readonly Variant[] = [
  answered('refusals without a body', (answer) =>
    [401, 403, 404].includes(answer.status) ? { ...answer, body: undefined } : undefined,
  ),
  unavailable('each logout is carried out, but answered with 503', ['portal.logout']),
  {
    ...unavailable('the answer to each logout is lost', ['portal.logout'], {
      transport: { cutAfterBytes: 0 },
    }),
    served: true,
  },
  unavailable(
    'every second change of a card is carried out, but answered with 503 and Retry-After',
    ['activate', 'close', 'suspend', 'unsuspend', 'markLost', 'unmarkFraud', 'markWalletProvisioned'].map(
      (name) => `cards.${name}`,
    ),
    { headers: { 'retry-after': '0' } },
    2,
  ),
  firstChangesUnavailable('the first change of each kind is refused with 503 and Retry-After', { 'retry-after': '0' }),
  firstChangesUnavailable('the first change of each kind is refused with 503', {}),
  losing('the first answer of each operation is lost', firstOfEach()),
  losing('every answer is lost for 300 ms', forAMoment(500, 300)),
  // Where a requirement has one row, that may be lost twice: it is blocked then.
  losing('every hundredth answer is lost', everyNth(100)),
  answered(
    'a gateway that hangs up on a body that is not JSON',
    (answer, { request: { body, raw, form } }) => {
      const isNotJson = raw.length > 0 && body === undefined && form === undefined;
      return isNotJson ? { ...answer, transport: { cutAfterBytes: 0 } } : undefined;
    },
    { served: true, run: { thorough: true } },
  ),
];
