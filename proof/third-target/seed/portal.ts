import type { Customer, Fields, Person, Program, User } from '../core/model.ts';

export const PERSONAL: Record<Program['product'], string[]> = {
  Payroll: ['Personalized Payroll Order'],
  'Corporate Reward': [
    'Reloadable-Corporate Reward Order',
    'Non Reloadable-Corporate Reward Orde',
    'Direct Order - CORP',
  ],
  'Corporate Purchasing': ['Personalized Purchasing Order'],
};

export const INSTANT: Record<Program['product'], string> = {
  Payroll: 'Instant Issue Payroll Order',
  'Corporate Reward': 'Instant Corporate Reward Order',
  'Corporate Purchasing': 'Instant Issue Purchase Order',
};

export const ORDER_TYPES = [...Object.values(PERSONAL).flat(), ...Object.values(INSTANT)];

type Switches = Partial<Omit<Program, 'id' | 'customer' | 'product' | 'name'>>;

const OPEN = { digital: true, load: true };

const PROGRAMS: [name: string, product: Program['product'], switches: Switches][] = [
  ['personalized', 'Corporate Reward', OPEN],
  ['instantIssue', 'Payroll', OPEN],
  ['other', 'Corporate Reward', OPEN],
  ['digitalOn', 'Corporate Purchasing', OPEN],
  ['digitalOff', 'Corporate Reward', { digital: false, load: true }],
  ['loadOn', 'Payroll', { digital: true, load: true, branded: true }],
  ['loadOff', 'Corporate Reward', { digital: true, load: false, autoCreated: true }],
  ['uniqueOtherInfo', 'Corporate Reward', { ...OPEN, otherRequired: true, otherUnique: true }],
  ['duplicateLoadChecker', 'Corporate Purchasing', { ...OPEN, loadChecker: true }],
  ['spare', 'Payroll', { autoCreated: true, branded: true }],
];

export function seedPrograms(owner: Customer, shop: Customer, foreign: Customer): Record<string, Program> {
  const programs: Record<string, Program> = {};
  let id = 5_200_000_000_013;
  const add = (name: string, customer: Customer, product: Program['product'], switches: Switches) => {
    id += 74;
    programs[name] = {
      id,
      customer,
      product,
      name,
      digital: false,
      load: false,
      otherRequired: false,
      otherUnique: false,
      loadChecker: false,
      autoCreated: false,
      branded: false,
      ...switches,
    };
  };
  for (const [name, product, switches] of PROGRAMS) add(name, owner, product, switches);
  add('shop', shop, 'Corporate Reward', OPEN);
  add('foreign', foreign, 'Corporate Reward', OPEN);
  return programs;
}

const HOME = { address: '12 Mill Lane', city: 'Dayton', state: 'OH', zip: 45402 };

const person = (
  number: number,
  result: Person['result'],
  differentiators: boolean,
  firstName: string,
  lastName: string,
  rest: Fields,
): Person => ({ number, result, differentiators, body: { firstName, lastName, ...HOME, ...rest } });

export function seedPersons(): Person[] {
  return [
    person(7101, 'Pass', false, 'Irene', 'Holloway', { dobMonth: 11, dobDay: 23, dobYear: 1978, ssn: 212345678 }),
    person(7102, 'Fail', false, 'Jonas', 'Kettle', { dobMonth: 10, dobDay: 14, dobYear: 1984, ssn: 312345679 }),
    person(7103, 'Partial', true, 'Lena', 'Marsh', { dobMonth: 12, dobDay: 17, dobYear: 1990, ssnLast4: 4821 }),
    person(7104, 'Partial', false, 'Omar', 'Prentice', { dobMonth: 11, dobDay: 28, dobYear: 1969, ssn: 412345670 }),
  ];
}

export function seedUsers(owner: Customer): User[] {
  return [
    {
      loginID: 'm.greenwood',
      password: 'Vq7!plumTree.42',
      userId: 30117,
      customer: owner,
      role: 'owner',
      forbidden: [],
    },
    {
      loginID: 'counter.clerk',
      password: 'Gz5!pearTree.19',
      userId: 30118,
      customer: owner,
      role: 'clerk',
      forbidden: ['getCustomerHierarchy', 'getCIPCheck', 'orderCards'],
    },
  ];
}
