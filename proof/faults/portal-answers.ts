/** Faults of how the portal answers valid requests: with 500 at some values, with the answer to another request, with a refusal now and then, and with errors that are not JSON. */
import type { AnswerFilter, SandboxRequest } from '../../sandbox/exchange.ts';
import type { SandboxOptions } from '../../sandbox/index.ts';
import { bodyIn, cardsIn } from './broken.ts';
import type { Fault } from './fault.ts';
import { type Body, fault, memory } from './portal-broken.ts';

const CIP = 'portal.getCIPCheck';
const ORDER = 'portal.orderCards';
const HIERARCHY = 'portal.getCustomerHierarchy';
const PROGRAM_LIST = 'portal.getCustomerProgramList';
/** Longer than a busy machine takes from one request to the next that was sent with it. */
const AT_ONCE_MS = 200;

/** Of requests at the same moment one gets the answer of the other. */
function swapped(operation: string, isOther: (one: SandboxRequest, other: SandboxRequest) => boolean): SandboxOptions {
  const lastIn = memory(() => ({
    at: 0,
    request: undefined as SandboxRequest | undefined,
    body: undefined as unknown,
  }));
  const filter: AnswerFilter = (answer, { operation: called, world, request }) => {
    if (called !== operation) return undefined;
    const last = lastIn(world);
    const isAtOnce = last.request && performance.now() < last.at + AT_ONCE_MS && isOther(last.request, request);
    const transport = { delayMs: AT_ONCE_MS + 2 };
    if (isAtOnce && answer.status === 200) return { ...answer, body: last.body, transport };
    if (answer.status === 200) Object.assign(last, { at: performance.now(), request, body: answer.body });
    return { ...answer, transport };
  };
  return { middleware: [filter] };
}

/** Some requests of an operation are answered with status 500. */
const breaksAtValue = (
  name: string,
  operation: typeof CIP | typeof ORDER,
  isMeant: (body: Body, cards: Body[]) => boolean,
) =>
  fault(
    name,
    operation === CIP
      ? ['portal.getCIPCheck.status', 'portal.getCIPCheck.unusual-values']
      : ['portal.orderCards.status', 'portal.orderCards.unusual-values'],
    {
      middleware: [
        (answer, { operation: called, request }) =>
          called === operation && answer.status === 200 && isMeant(bodyIn(request), cardsIn(bodyIn(request)))
            ? { ...answer, status: 500, body: {} }
            : undefined,
      ],
    },
  );

/** Requests of an operation are refused by how many there were before. */
const refusing = (operation: string, isMeant: (callNumber: number) => boolean): SandboxOptions => ({
  rules: {
    alsoRefuses: ({ operation: called, callNumber }) =>
      called === operation && isMeant(callNumber) ? { kind: 'range', name: 'mood' } : undefined,
  },
});

const everySecond = (operation: string): SandboxOptions => refusing(operation, (callNumber) => callNumber % 2 === 0);

export const portalAnswerFaults: readonly Fault[] = [
  fault(
    'of two program lists at the same moment one is the other',
    'portal.getCustomerProgramList.of-customer',
    swapped(PROGRAM_LIST, (one, other) => one.query.customerId !== other.query.customerId),
  ),
  breaksAtValue('a birth in December is answered with 500', CIP, ({ dobMonth }) => dobMonth === 12),
  breaksAtValue('an apostrophe in a city is answered with 500', CIP, ({ city }) => String(city).includes("'")),
  breaksAtValue('a hyphen in a name is answered with 500', CIP, ({ lastName }) => String(lastName).includes('-')),
  breaksAtValue('a letter beyond ASCII in a name is answered with 500', CIP, ({ lastName }) =>
    /[^ -~]/.test(String(lastName)),
  ),
  breaksAtValue('a comment of 300 characters is answered with 500', ORDER, (_, cards) =>
    cards.some(({ comment }) => String(comment ?? '').length > 255),
  ),
  breaksAtValue('a letter beyond ASCII in an order is answered with 500', ORDER, (order, cards) =>
    [order, ...cards].flatMap(Object.values).some((value) => typeof value === 'string' && /[^ -~]/.test(value)),
  ),
  breaksAtValue('a percent sign in an order is answered with 500', ORDER, (order, cards) =>
    [order, ...cards].flatMap(Object.values).some((value) => typeof value === 'string' && value.includes('%')),
  ),
  fault('every second hierarchy is refused', 'portal.getCustomerHierarchy.required-only', everySecond(HIERARCHY), {
    // in sequences of logins and logouts a hierarchy is asked for
    configure: ({ run }) => {
      run.seed = 1;
    },
    also: ['portal.login.begins-session'],
  }),
  ...[ORDER].map((id) =>
    fault(`${id} answers what is not JSON with HTML`, `${id}.error-shape`, {
      middleware: [
        (answer, { refusal }) =>
          refusal?.operation === id && refusal.kind === 'malformed-body'
            ? { ...answer, headers: { 'content-type': 'text/html' }, body: Buffer.from('<h1>Bad request</h1>') }
            : undefined,
      ],
    }),
  ),
  {
    name: 'portal.getCIPCheck: an address with letters beyond ASCII is answered with 500',
    condemns: ['portal.getCIPCheck.unusual-values'],
    sandbox: {
      middleware: [
        (answer, { operation, request }) =>
          operation === 'portal.getCIPCheck' && /[^ -~]/.test(String((request.body as { address?: unknown })?.address))
            ? { ...answer, status: 500, body: {} }
            : undefined,
      ],
    },
  },
];
