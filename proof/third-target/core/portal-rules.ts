import { randomBytes } from 'node:crypto';
import type { Call, Customer, Fields, Program, Rules, Session, User, World } from './model.ts';
import { isBelow } from './model.ts';

function sessions(world: World) {
  return {
    userOf: (loginID: string, password: string): User | undefined =>
      world.users.find((user) => user.loginID === loginID && user.password === password),
    openSession(user: User): Session {
      const number = world.sessions.filter((session) => session.user === user).length + 1;
      const id = `S${randomBytes(21).toString('base64url')}`;
      const session = { id, user, number, opened: world.now(), used: world.now(), ended: false };
      world.sessions.push(session);
      return session;
    },
    sessionOf: (id: string): Session | undefined =>
      world.sessions.find((session) => session.id === id && !session.ended),
    endSession(session: Session): void {
      session.ended = true;
    },
    entitled: (call: Call, operation: string): boolean => !call.user!.forbidden.includes(operation),
    sees: (call: Call, customer: Customer): boolean => isBelow(customer, call.user!.customer),
    portalCustomer: (text: string): Customer | undefined =>
      world.customers.find((customer) => customer.portalId === Number(text)),
  } satisfies Partial<Rules>;
}

export function portalRules(world: World) {
  return {
    ...sessions(world),
    hierarchy(_call: Call, customer: Customer): Customer[] {
      const below = world.customers.filter((other) => isBelow(other, customer));
      return customer.parent ? [customer.parent, ...below] : below;
    },
    portalCustomerView: (customer: Customer): Fields => ({
      name: customer.name,
      customerId: customer.portalId,
      ...(customer.parent ? { parentId: customer.parent.portalId, parentName: customer.parent.name } : {}),
      ein: customer.ein,
      address1: '12 Mill Lane',
      city: 'Dayton',
      state: 'OH',
      zip: 45402,
      noEmployees: '11-50',
      businessYrs: 7,
      twoFactorEnabled: false,
      ftpPassword: '<FTP_PASSWORD>',
    }),
    programsShown: (customer: Customer, auto: boolean, branded: boolean): Program[] =>
      world.programs.filter(
        (program) => program.customer === customer && program.autoCreated === auto && program.branded === branded,
      ),
    programView: (program: Program): Fields => ({
      customerId: program.customer.portalId,
      customerName: program.customer.name,
      rowId: program.id,
      productType: program.product,
      productName: `${program.product} ${program.name}`,
      status: 'Launched',
      autoCreated: program.autoCreated,
      isInstantIssue: program.name === 'instantIssue',
      isDeleted: false,
      planId: 12,
      PlanId: 12,
      VirtualPackageName: 'Standard',
      inventoryCount: 40,
    }),
  } satisfies Partial<Rules>;
}
