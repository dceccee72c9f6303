/** Programs as they are listed for a customer under combinations of the flags (reading 40). */
import { type Answer, entries, type Intent } from '../../../helpers/answer.ts';
import { type Context, perOperation, scenario } from '../../../helpers/check.ts';
import * as Bodies from '../orders/bodies.ts';
import * as Customers from './customers.ts';
import * as ValidRequests from './valid-requests.ts';

/** Asks for the programs of a customer under one combination of the flags. */
export const ask = (
  t: Context,
  customerId: Customers.CustomerId | string,
  flags: ValidRequests.Flags,
  intent: Intent,
) => t.call(Customers.PROGRAM_LIST, ValidRequests.programsOf(customerId, flags), { intent });

/** The programs of a customer under each combination of the flags. */
export const programsOf = perOperation(
  (customerId) => `programs of the customer ${customerId}`,
  async (t, customerId) => {
    const { answer } = await t.shared(ValidRequests.requestOf(Customers.PROGRAM_LIST));
    const isKnown = Customers.askedIn(answer) === customerId;
    const given = Bodies.programsOf(t).map(({ order }) => Customers.idText(order?.customerId));
    const intent = isKnown || given.includes(customerId) ? 'valid' : 'refusable';
    return Promise.all(
      ValidRequests.FLAGS.map(async (flags, index) => ({
        flags: ValidRequests.inWords(flags),
        answer: index === 0 && isKnown ? answer : await ask(t, BigInt(customerId), flags, intent),
      })),
    );
  },
);

export const own = scenario('programs of the customer of the login', async (t) =>
  t.shared(programsOf(String(await t.shared(Customers.ownCustomer)))),
);

/** Customers below that of the login whose programs are listed, under two combinations of the flags each. */
const MOST_CUSTOMERS = 2;
export const below = scenario('programs of customers below that of the login', async (t) => {
  const found = (await t.shared(ValidRequests.customersBelow)).slice(0, MOST_CUSTOMERS);
  const [, some, others] = ValidRequests.FLAGS;
  // Simultaneously, so that mixed-up answers show.
  return Promise.all(found.flatMap((id) => [others!, some!].map((flags) => ask(t, id, flags, 'refusable'))));
});

/** Whether an answer is 404, "failed to get list", which may stand for an empty list. */
export const hasNone = ({ status }: Answer) => status === 404;

/** The rowIds of the programs that listings show. */
export const rowIds = (listings: readonly { answer: Answer }[]): (string | undefined)[] =>
  listings.flatMap(({ answer }) => entries(answer)).map(({ rowId }) => Customers.idText(rowId));
