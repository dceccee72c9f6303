/** Faults of how the users and cards interfaces answer valid requests: with 500 at some values, with the answer to another request, with a refusal now and then, and with members of another type or size. */
import type { OperationId, SandboxRequest, World } from '../../sandbox/index.ts';
import { answering, thoroughly } from './broken.ts';
import type { Fault } from './fault.ts';

/** Status 500 where something about a request is met. */
const fails = (
  name: string,
  condemns: string,
  operation: OperationId,
  isMet: (request: SandboxRequest) => boolean,
): Fault =>
  thoroughly({
    name: `500: ${name}`,
    condemns: [condemns],
    sandbox: {
      middleware: [
        (answer, context) =>
          context.operation === operation && isMet(context.request) && context.refusal?.kind !== 'token'
            ? { ...answer, status: 500, body: [{ errorCode: 'internal' }] }
            : undefined,
      ],
    },
  });

const commentOf = ({ body }: SandboxRequest) => String((body as { comment?: unknown } | undefined)?.comment ?? '');

/** Balances as the sandbox shows them are not at hand here: the whole balance is an amount beyond what else is moved. */
function wholeAsked(_identifier: string | undefined, body: unknown): boolean {
  const { amount = 0, comment } = (body ?? {}) as { amount?: number; comment?: string };
  return comment === undefined && amount >= 10 && amount < 1e6;
}

const flickers = (operation: OperationId, status: number): Fault => {
  const successes = new WeakMap<World, number>();
  return {
    name: `one in five requests of ${operation} is answered with ${status}`,
    condemns: [`${operation}.required-only`],
    sandbox: {
      middleware: [
        (answer, { operation: of, world }) => {
          if (of !== operation || answer.status >= 300) return undefined;
          const count = (successes.get(world) ?? 0) + 1;
          successes.set(world, count);
          return count % 5 === 1 ? { ...answer, status, body: [{ errorCode: 'again' }] } : undefined;
        },
      ],
    },
  };
};

const results = (body: Record<string, unknown>) => body.results as Record<string, unknown>[];

export const v3AnswerFaults: readonly Fault[] = [
  fails(
    'a comment of 300 characters',
    'cards.transfer.status',
    'cards.transfer',
    (request) => commentOf(request).length > 255,
  ),
  fails('a comment with letters beyond ASCII', 'cards.transfer.status', 'cards.transfer', (request) =>
    /[^ -~]/.test(commentOf(request)),
  ),
  fails('a name with #', 'users.list.status', 'users.list', ({ query }) => (query.name ?? '').includes('#')),
  fails("an identifier of a card with '", 'cards.get.status', 'cards.get', ({ params }) =>
    (params.identifier ?? '').includes("'"),
  ),
  fails('an identifier of a card with %', 'cards.getStatus.status', 'cards.getStatus', ({ params }) =>
    (params.identifier ?? '').includes('%'),
  ),
  fails(
    'an externalIdentifier of 300 characters',
    'cards.list.status',
    'cards.list',
    ({ query }) => (query.externalIdentifier ?? '').length > 255,
  ),
  fails('max=0 of cards', 'cards.list.status', 'cards.list', ({ query }) => query.max === '0'),
  fails('max=-1 of customers', 'users.list.status', 'users.list', ({ query }) => query.max === '-1'),
  fails('the whole balance', 'cards.transfer.status', 'cards.transfer', ({ body, params }) =>
    wholeAsked(params.identifier, body),
  ),
  flickers('users.list', 400),
  flickers('cards.list', 403),
  flickers('cards.get', 404),
  {
    name: 'the balance of a listed card without holder is a text',
    condemns: ['cards.list.shape'],
    sandbox: answering('cards.list', (body) => {
      for (const card of results(body)) if (!card.cardholder) card.balance = String(card.balance);
    }),
  },
  {
    name: 'customers of the second page are identified by numbers',
    condemns: ['users.list.shape'],
    sandbox: answering('users.list', (body, { page }) => {
      if (page === 2)
        for (const [index, customer] of results(body).entries()) Object.assign(customer, { identifier: index });
    }),
  },
];
