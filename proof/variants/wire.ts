/** Sound implementations whose answers are lost or cut on the wire, after the request was carried out. */
import { answered, type Variant } from './variant.ts';

/** Every n-th success of some operations, beginning with the first, reaches nobody. @param more of its answer */
function unavailable(name: string, operations: readonly string[], more: object = {}, every = 1): Variant {
  let successes = 0;
  return answered(
    name,
    (answer, { operation }) =>
      operations.includes(operation) && answer.status < 300 && successes++ % every === 0
        ? { ...answer, status: 503, body: undefined, ...more, headers: { ...answer.headers, ...Object(more).headers } }
        : undefined,
    { basis: '503: service unavailable' },
  );
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
  answered(
    'a gateway that hangs up on a body that is not JSON',
    (answer, { request: { body, raw, form } }) => {
      const isNotJson = raw.length > 0 && body === undefined && form === undefined;
      return isNotJson ? { ...answer, transport: { cutAfterBytes: 0 } } : undefined;
    },
    { served: true, run: { thorough: true } },
  ),
];
