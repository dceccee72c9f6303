import type { Fields, Program } from '../core/model.ts';
import { INSTANT, PERSONAL } from './portal.ts';

const SHIP_TO = {
  address1: '12 Mill Lane',
  address2: 'Unit 4',
  attn: 'Post room',
  city: 'Dayton',
  state: 'OH',
  zip: '45402',
};

const HOLDER = {
  firstName: 'Nora',
  lastName: 'Quill',
  phone: '9375550142',
  ssn: '512345671',
  email: 'nora@example.org',
};

/** A whole order that the program takes. */
export function plainOrder(program: Program, more: Fields = {}, card: Fields = {}): Fields {
  return {
    ...SHIP_TO,
    custProgId: program.id,
    customerId: program.customer.portalId,
    orderProdType: PERSONAL[program.product].at(-1),
    shippingMethod: 'Ground',
    shippingFee: 4.5,
    cardFee: 1.25,
    externalIdentifier: `7001${program.id % 100_000}`,
    ...more,
    orderDetails: [{ ...HOLDER, ...card }],
  };
}

export function instantOrder(program: Program): Fields {
  return plainOrder(program, { orderProdType: INSTANT[program.product], isInstantIssue: true, qty: 2 });
}

export function loadOrder(program: Program): Fields {
  return plainOrder(program, { totalValue: 25 }, { amount: 25, externalIdentifier: '800100200' });
}
