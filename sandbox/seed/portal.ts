/** Programs, users, persons and places of the portal. */
import type { CipPerson, LoginUser, Program } from '../world.ts';
import type { Credentials } from './credentials.ts';
import { digits } from './generate.ts';

/** Keys of `portal.programs` in the fixtures file, in order of rowId. */
export const programKeys = [
  'personalized',
  'instantIssue',
  'other',
  'digitalOn',
  'digitalOff',
  'loadOn',
  'loadOff',
  'uniqueOtherInfo',
  'duplicateLoadChecker',
] as const;

export type ProgramKey = (typeof programKeys)[number];

const firstRowId = 7001;
const foreignRowId = 7901;

/** The rowId of a fixture program. */
export function rowIdOf(key: ProgramKey): number {
  return firstRowId + programKeys.indexOf(key);
}

const products = {
  payroll: { name: 'Payroll', types: ['Personalized Payroll Order'] },
  instantPayroll: { name: 'Payroll', types: ['Instant Issue Payroll Order', 'Instant Corporate Reward Order'] },
  reward: {
    name: 'Corporate Reward',
    types: ['Reloadable-Corporate Reward Order', 'Non Reloadable-Corporate Reward Orde', 'Direct Order - CORP'],
  },
  purchasing: {
    name: 'Corporate Purchasing',
    types: ['Personalized Purchasing Order', 'Instant Issue Purchase Order'],
  },
} as const;

type ProductKey = keyof typeof products;

const productOf: Record<ProgramKey, ProductKey> = {
  personalized: 'payroll',
  instantIssue: 'instantPayroll',
  other: 'purchasing',
  digitalOn: 'reward',
  digitalOff: 'payroll',
  loadOn: 'reward',
  loadOff: 'payroll',
  uniqueOtherInfo: 'payroll',
  duplicateLoadChecker: 'reward',
};

interface ProgramPlan extends Partial<Program> {
  rowId: number;
  customerId: number;
  product: ProductKey;
}

/** Every documented member of a program except those that the sandbox interprets. */
function detailsOf(rowId: number, product: string, customerName: string): Record<string, unknown> {
  return {
    productId: 11,
    planId: 21,
    commissionId: 31,
    einCheck: true,
    ofacCheck: true,
    bgCheck: false,
    websiteCheck: false,
    launchDate: '2024-03-01',
    status: 'Approved',
    productType: product,
    productName: `${product} ${rowId}`,
    hasVirtualFunding: true,
    permSubprogramId: 41,
    tmpSubProgramId: 42,
    tmpPackageId: 43,
    virtualSubprogramId: 44,
    permSubProgramName: 'Permanent',
    tmpSubProgramName: 'Temporary',
    virtualSubprogramName: 'Virtual',
    pricingPlanName: 'Standard',
    commissionName: 'None',
    commissionReferrerName: 'None',
    permPackageName: 'Permanent package',
    tmpPackageName: 'Temporary package',
    invoicePymtOption: 'ACH',
    VirtualPackageName: 'Virtual package',
    shippingMethod: 'Ground',
    fundingSource: 'Prefunded',
    receiptAction: 'Email',
    customerName,
    activeCount: rowId % 100,
    inventoryCount: 500,
    isDeleted: false,
    hideOtherCards: false,
    topParentId: 5000,
    fundingId: 51,
    PlanId: 22,
    permPackageId: 61,
    dueDiligenceNotes: 'complete',
  };
}

function makeProgram({ rowId, customerId, product, ...rest }: ProgramPlan): Program {
  return {
    rowId,
    customerId,
    tenant: 'own',
    autoCreated: false,
    branded: false,
    isInstantIssue: false,
    orderTypes: [...products[product].types],
    digital: false,
    load: false,
    uniqueOtherInfo: false,
    duplicateLoadChecker: false,
    details: detailsOf(rowId, products[product].name, `Customer ${customerId}`),
    ...rest,
  };
}

/** The switches of each fixture program. `digitalOff` is auto-created and `other` branded, so that the flags matter. */
const switches: Record<ProgramKey, Partial<Program>> = {
  personalized: {},
  instantIssue: { isInstantIssue: true },
  other: { branded: true },
  digitalOn: { digital: true },
  digitalOff: { autoCreated: true },
  loadOn: { load: true },
  loadOff: {},
  uniqueOtherInfo: { uniqueOtherInfo: true },
  duplicateLoadChecker: { load: true, duplicateLoadChecker: true },
};

/** @param customerIds the login's customer, then others that have a program each; @param foreignCustomerId of the other tenant */
export function makePrograms(customerIds: readonly number[], foreignCustomerId: number): Program[] {
  const [ownId = 0, ...others] = customerIds;
  const own = programKeys.map((key) =>
    makeProgram({ rowId: rowIdOf(key), customerId: ownId, product: productOf[key], ...switches[key] }),
  );
  const both = makeProgram({ rowId: 7051, customerId: ownId, product: 'reward', autoCreated: true, branded: true });
  const below = others.map((customerId, index) =>
    makeProgram({ rowId: 7101 + index, customerId, product: 'payroll', autoCreated: index % 2 === 0 }),
  );
  const foreign = makeProgram({
    rowId: foreignRowId,
    customerId: foreignCustomerId,
    product: 'payroll',
    tenant: 'other',
  });
  return [...own, both, ...below, foreign];
}

/** The partner's login, and a clerk's that may not list customers. */
export function makeUsers(credentials: Credentials, customerId: number, customerName: string): LoginUser[] {
  const details = (firstName: string, role: string, isAdmin: boolean) => ({
    firstName,
    lastName: 'Partner',
    email: `${firstName.toLowerCase()}@partner.invalid`,
    customerType: 'Reseller',
    customerName,
    role,
    isHost: false,
    isHostAdmin: isAdmin,
    deleted: false,
    canLoadCard: true,
    canViewLoadHistory: true,
    kind: 'userendpoint#user',
    etag: `"${role}-1"`,
  });
  return [
    {
      userId: 301,
      loginId: credentials.loginId,
      password: credentials.password,
      customerId,
      forbidden: [],
      details: details('Pat', 'Admin', true),
    },
    {
      userId: 302,
      loginId: credentials.restrictedLoginId,
      password: credentials.restrictedPassword,
      customerId,
      forbidden: ['portal.getCustomerList'],
      details: details('Chris', 'Clerk', false),
    },
  ];
}

/** Persons with a known outcome; everybody else is not found. */
export const cipPersons: readonly CipPerson[] = [
  { firstName: 'Paula', lastName: 'Located', outcome: 'pass' },
  { firstName: 'Felix', lastName: 'Unseen', outcome: 'fail' },
  { firstName: 'Diana', lastName: 'Several', outcome: 'partialDifferentiator' },
  { firstName: 'Quinn', lastName: 'Several', outcome: 'partialQuestions' },
];

/** A whole getCIPCheck body for a person. */
export function cipBody({ firstName, lastName }: CipPerson, index: number): Record<string, unknown> {
  return {
    firstName,
    lastName,
    address: `${index + 1} Elm Street`,
    zip: 62_701 + index,
    dobMonth: 4 + index,
    dobYear: 1980 + index,
    dobDay: 11 + index,
    ssn: 123_450_000 + Number(digits(4, 50, index)),
    ssnLast4: Number(digits(4, 50, index)),
    city: 'Springfield',
    state: 'IL',
  };
}

/** Cash machines, in the members of the portal document; the same in every sandbox. */
export function makeAtms(): Record<string, unknown>[] {
  return Array.from({ length: 30 }, (_, index) => ({
    name: `ATM ${index + 1}`,
    address: `${index + 1} Station Road`,
    city: 'Springfield',
    state: 'IL',
    zip: '62701',
    latitude: 39.78 + index / 1000,
    longitude: -89.65 - index / 1000,
    distance: index / 10,
  }));
}

export const shippingMethods = ['Ground', 'Second Day', 'Overnight', 'Registered Mail'];

export const shippingFeeTypes = [
  { feeTypeId: 1, name: 'Standard', fee: 5 },
  { feeTypeId: 2, name: 'Expedited', fee: 15.5 },
  { feeTypeId: 3, name: 'Customer pays', fee: 0 },
];
