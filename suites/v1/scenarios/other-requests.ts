/** Valid requests of other forms than the plain one: each needs a session, too. */
import type { Input } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import * as Persons from '../cip/persons.ts';
import * as Kinds from '../orders/kinds.ts';
import * as Orders from '../orders/orders.ts';
import * as Repetitions from '../orders/repetitions.ts';
import * as Customers from './customers.ts';
import * as ValidRequests from './valid-requests.ts';

/** A form of request, and what makes one, where the target is known to take it. */
interface OtherRequest {
  name: string;
  make(): Promise<Input | undefined>;
}

const asking = (name: string, query: Input['query']): OtherRequest => ({ name, make: async () => ({ query }) });

const queryOf = async (t: Context, id: string) => (await t.known(ValidRequests.requestOf(id))).answer.input.query ?? {};

async function hierarchyBelow(t: Context): Promise<OtherRequest[]> {
  const [customerId] = await t.known(ValidRequests.customersBelow);
  return customerId === undefined ? [] : [asking('a customer below', { customerId })];
}

async function otherPrograms(t: Context): Promise<OtherRequest[]> {
  const query = await queryOf(t, Customers.PROGRAM_LIST);
  const [customerId] = await t.known(ValidRequests.customersBelow);
  const flagged = ValidRequests.FLAGS.slice(1).map((flags) =>
    asking(`programs with ${ValidRequests.inWords(flags)}`, { ...query, ...flags }),
  );
  if (customerId === undefined) return flagged;
  return [...flagged, asking('programs of a customer below', { ...query, customerId })];
}

async function nextMachines(t: Context): Promise<OtherRequest[]> {
  const query = await queryOf(t, ValidRequests.ATM);
  const pageOffset = Number(query.pageOffset) + 1;
  return [asking(`cash machines from pageOffset ${pageOffset} on`, { ...query, pageOffset })];
}

const PERSONS = { required: 'without ssn', ...Persons.RULED };

function otherPersons(t: Context): OtherRequest[] {
  if (!ValidRequests.mayChange(t, Persons.CIP)) return [];
  return Object.entries(PERSONS).map(([form, what]) => ({
    name: `a person ${what}`,
    make: async () => ({ json: await Persons.FORMS[form as keyof typeof PERSONS](t) }),
  }));
}

function otherOrders(t: Context): OtherRequest[] {
  if (!ValidRequests.mayChange(t, Orders.ORDER)) return [];
  const kinds = Object.values(Kinds.others).map(({ name, of }) => ({
    name,
    async make() {
      const order = await of(t);
      return order && { json: order() };
    },
  }));
  // A target may recognise the order and repeat its answer before it checks the session.
  const make = async () => (await t.known(Repetitions.identified)).first.input;
  return [...kinds, { name: 'an order that was made before', make }];
}

const BY_OPERATION: Readonly<Record<string, (t: Context) => Promise<OtherRequest[]> | OtherRequest[]>> = {
  [Customers.HIERARCHY]: hierarchyBelow,
  [Customers.PROGRAM_LIST]: otherPrograms,
  [ValidRequests.ATM]: nextMachines,
  [Persons.CIP]: otherPersons,
  [Orders.ORDER]: otherOrders,
};

/** Valid requests of other forms than the plain one of an operation; empty where none is known, or may be sent. */
export const otherRequestsOf = async (t: Context, id: string): Promise<OtherRequest[]> =>
  (await BY_OPERATION[id]?.(t)) ?? [];
