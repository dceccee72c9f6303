/**
 * The fixtures file: data of a target, declared by its owner, so that checks know what to expect.
 *
 * Every key is optional; a missing one makes the checks that need it skipped. An unknown key is a fault, except inside
 * a whole `order` and the bodies of `portal.cip`, which are sent verbatim. The member names are those of the two
 * documents.
 */
import { z } from 'zod';

const isInteger = (value: unknown) => typeof value === 'bigint' || Number.isSafeInteger(value);

/**
 * An int64 of the portal: a number, or a bigint if a number would lose digits (portal document,
 * getCustomerProgramList).
 */
const integer = z
  .custom<number | bigint>(isInteger, { error: 'must be an integer' })
  .meta({ type: 'integer', format: 'int64' });

/** A whole request body, sent verbatim. */
const body = z.record(z.string(), z.unknown());

const cards = z.array(z.string());

/** A customer program: its custProgId alone, or with a whole orderCards body that it accepts. */
const program = z.union([integer, z.strictObject({ custProgId: integer, order: body.optional() })], {
  error: 'must be an integer, or an object of custProgId (an integer) and optionally order (an object)',
});
/** A customer program: its custProgId (int64) alone, or with a whole orderCards body that it accepts. */
export type FixtureProgram = z.infer<typeof program>;

/** The portal operations that require a session; `forbiddenOperation` is one of them. */
const SESSION_OPERATIONS = [
  'logout',
  'getCustomerList',
  'getCustomerHierarchy',
  'getCIPCheck',
  'getShippingFeeTypes',
  'getShippingMethods',
  'getCustomerProgramList',
  'getATMLocation',
  'orderCards',
] as const;

const users = z
  .strictObject({
    customerIdentifier: z.string().describe('An existing customer.'),
    parentIdentifier: z.string().describe('A customer with children.'),
    childIdentifier: z.string().describe('One of the children of parentIdentifier.'),
    unrelatedIdentifier: z.string().describe('A customer outside of parentIdentifier.'),
    foreignCustomerIdentifier: z.string().describe('An existing customer that these credentials must not reach.'),
    nameFragment: z.string().describe('Text contained in the names of some customers, not of all.'),
    nameMatchIdentifier: z.string().describe('A customer whose name contains nameFragment.'),
    nameMismatchIdentifier: z.string().describe('A customer whose name does not contain nameFragment.'),
    v1Identifier: z.string().describe('An identifier in the v1 portal.'),
    v1MatchIdentifier: z.string().describe('The customer that v1Identifier belongs to.'),
    writableCustomerIdentifier: z.string().describe('A customer whose permissions may be changed.'),
    /**
     * The permissions of `writableCustomerIdentifier` to restore after a change; they make setPermissions reversible.
     */
    writableCustomerPermissions: z
      .strictObject({ canSearchLoads: z.boolean(), canSearchSpends: z.boolean() })
      .partial(),
  })
  .partial();

const cardPools = z
  .strictObject({
    active: cards.describe(
      'Active cards with a balance of at least 10.00 that share a currency: may be suspended, unsuspended, and moved money between.',
    ),
    disposable: cards.describe(
      'Active cards, some with a balance: may be provisioned, reissued, given a PIN, marked lost, closed.',
    ),
    unused: cards.describe('Cards not yet activated.'),
    fraud: cards.describe('Cards with reported fraud.'),
    foreign: cards.describe('Existing cards that these credentials must not reach.'),
    /** Limits on the amount of one transfer, in units of the currency, if the target has such a rule. */
    transferAmounts: z
      .strictObject({
        least: z.number().positive().describe('The least amount of a transfer.'),
        most: z.number().positive().describe('The largest amount of a transfer.'),
        step: z.number().positive().describe('What amounts are multiples of: 0.01, or 1 where they are whole.'),
      })
      .partial()
      .describe('Amounts of a transfer, 1.00 to 10.00 in steps of 0.01 unless said otherwise.'),
    transferBody: body.describe(
      'Members that a transfer needs beside targetCardIdentifier and amount, sent as they are.',
    ),
    withRelated: z.string().describe('A card with at least one related card.'),
    /** A card that has a proxy, and the three values by which it is looked up. */
    byProxy: z
      .strictObject({
        proxyNumber: z.string(),
        programIdentifier: z.string(),
        isDigital: z.boolean(),
        identifier: z.string().describe('The card it is.'),
      })
      .partial(),
    /** Values of the listing's filters that match some cards, but not all. */
    filters: z
      .strictObject({
        customerIdentifier: z.string(),
        programIdentifier: z.string(),
        orderIdentifier: z.string(),
        externalIdentifier: z.string(),
      })
      .partial(),
  })
  .partial();

const portal = z
  .strictObject({
    customerId: integer.describe('The customer of the login (int64).'),
    foreignCustomerId: integer.describe('A customer whose data the login must not see (int64).'),
    /** Customer programs by their switches. */
    programs: z
      .strictObject({
        personalized: program.describe('Takes personalized orders.'),
        instantIssue: program.describe('Takes instant issue (inventory) orders.'),
        other: program.describe('A second program, for the duplicate check that is made per program.'),
        digitalOn: program.describe('Digital card orders are on.'),
        digitalOff: program.describe('Digital card orders are off.'),
        loadOn: program.describe('Load while ordering is on.'),
        loadOff: program.describe('Load while ordering is off.'),
        uniqueOtherInfo: program.describe('Make Other Field Required and Make Other Field Unique are on.'),
        duplicateLoadChecker: program.describe('Load while ordering and Duplicate Load Checker are on.'),
      })
      .partial(),
    /** Whole getCIPCheck bodies, by the target's outcome for the person. */
    cip: z
      .strictObject({
        pass: body.describe('summaryResult Pass.'),
        fail: body.describe('summaryResult Fail.'),
        partialDifferentiator: body.describe('summaryResult Partial, with differentiator questions.'),
        partialQuestions: body.describe('summaryResult Partial, with questions.'),
      })
      .partial(),
    atm: z
      .strictObject({ latitude: z.string(), longitude: z.string() })
      .partial()
      .describe('A place with cash machines around it.'),
    /** A user who may log in but is not entitled to `forbiddenOperation`. */
    restrictedLogin: z
      .strictObject({ loginID: z.string(), password: z.string(), forbiddenOperation: z.enum(SESSION_OPERATIONS) })
      .partial(),
  })
  .partial();

/** The schema of the fixtures file. Published by `z.toJSONSchema` with `unrepresentable: 'any'`: integers are int64. */
export const fixtures = z
  .strictObject({
    $schema: z.string().describe('Address of this schema, for editors.'),
    /** Customers of the token, users and cards interface. */
    users,
    cards: cardPools.describe('Cards, in pools by what may be done to them.'),
    /** Customers, programs, persons and a second login of the portal interface. */
    portal,
  })
  .partial();
/** The content of a fixtures file. */
export type Fixtures = z.infer<typeof fixtures>;

const SECRET_MEMBERS = ['ssn', 'ssnLast4'];

function* secretMembers(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (!SECRET_MEMBERS.includes(name)) yield* secretMembers(member);
    else if (['string', 'number', 'bigint'].includes(typeof member)) yield String(member);
  }
}

/**
 * The secrets in a fixtures file, as they appear in requests: login id and password of the restricted login, and every
 * `ssn` and `ssnLast4` of CIP and order bodies. Without duplicates or empty values.
 */
export function fixtureSecrets({ portal = {} }: Fixtures): string[] {
  const { loginID, password } = portal.restrictedLogin ?? {};
  const values = [loginID, password, ...secretMembers(portal.cip), ...secretMembers(portal.programs)];
  return [...new Set(values.filter((value) => value !== undefined && value !== ''))] as string[];
}
