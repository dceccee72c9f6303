/** Drafts a fixtures file from discovered data, for a person to complete. */
import { type Fixtures, fixtureSecrets } from '../contracts/fixtures.ts';
import { isObject } from '../helpers/answer.ts';
import type { PoolName } from '../helpers/cards/pools.ts';

/** Every key; "", 0, [] and {} count as not given. */
const TEMPLATE = {
  users: {
    customerIdentifier: '',
    parentIdentifier: '',
    childIdentifier: '',
    unrelatedIdentifier: '',
    foreignCustomerIdentifier: '',
    nameFragment: '',
    nameMatchIdentifier: '',
    nameMismatchIdentifier: '',
    v1Identifier: '',
    v1MatchIdentifier: '',
    writableCustomerIdentifier: '',
    writableCustomerPermissions: {},
  },
  cards: {
    active: [],
    disposable: [],
    unused: [],
    fraud: [],
    foreign: [],
    transferAmounts: {},
    transferBody: {},
    withRelated: '',
    byProxy: { proxyNumber: '', programIdentifier: '', isDigital: false, identifier: '' },
    filters: { customerIdentifier: '', programIdentifier: '', orderIdentifier: '', externalIdentifier: '' },
  },
  portal: {
    customerId: 0,
    foreignCustomerId: 0,
    programs: {
      personalized: 0,
      instantIssue: 0,
      other: 0,
      digitalOn: 0,
      digitalOff: 0,
      loadOn: 0,
      loadOff: 0,
      uniqueOtherInfo: 0,
      duplicateLoadChecker: 0,
    },
    cip: { pass: {}, fail: {}, partialDifferentiator: {}, partialQuestions: {} },
    atm: { latitude: '', longitude: '' },
    restrictedLogin: {},
  },
} satisfies Fixtures | object;

/** A fixtures file to complete by hand. */
export interface Draft {
  fixtures: Record<string, unknown>;
  /** Keys of the given fixtures that are not copied because they hold secrets. */
  leftOut: string[];
}

/**
 * Merges discovered data with the given fixtures, which win. Cards get into a pool only through the given fixtures or
 * `pools`. Secrets are not copied.
 */
export function draftFixtures(found: Fixtures, given: Fixtures, pools: Partial<Record<PoolName, string[]>>): Draft {
  const { kept, leftOut } = withoutSecrets(given);
  const drafted = [found, kept, { cards: pools }].reduce<Record<string, unknown>>(
    (whole, part) => merged(whole, part as Record<string, unknown>),
    structuredClone(TEMPLATE) as Record<string, unknown>,
  );
  return { fixtures: drafted, leftOut };
}

function withoutSecrets(given: Fixtures): { kept: Fixtures; leftOut: string[] } {
  const kept = structuredClone(given);
  const leftOut: string[] = [];
  for (const key of ['programs', 'cip', 'restrictedLogin'] as const) {
    const value = kept.portal?.[key];
    if (value === undefined || fixtureSecrets({ portal: { [key]: value } } as Fixtures).length === 0) continue;
    delete kept.portal![key];
    leftOut.push(`portal.${key}`);
  }
  return { kept, leftOut };
}

/** Merges objects recursively; other values of `over`, lists included, replace those of `under`. */
function merged(under: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const whole = { ...under };
  for (const [name, value] of Object.entries(over)) {
    const before = whole[name];
    if (value !== undefined) whole[name] = isObject(before) && isObject(value) ? merged(before, value) : value;
  }
  return whole;
}
