/** Complete requests of the users and cards interface, for things that exist and for things that don't. */
import { operation as operationById } from '../../contracts/operations.ts';
import { type Input, member, succeeded } from '../../helpers/answer.ts';
import { amount } from '../../helpers/cards/card-state.ts';
import type { Context } from '../../helpers/context.ts';
import { invented } from '../../helpers/engine/forms/invented.ts';
import { rotated } from '../../helpers/rotation.ts';
import { Inconclusive, Skipped } from '../../helpers/verdict.ts';
import { amountRule, plainAmount } from './amounts.ts';
import { aCard, aCustomer } from './target-data.ts';

/** An identifier that names nothing, in the form that the operation takes. */
export async function inventedIdentifier(t: Context, operation: string): Promise<string> {
  try {
    return invented(operation.startsWith('users.') ? await aCustomer(t) : await t.shared(aCard));
  } catch (error) {
    if (!(error instanceof Inconclusive) && !(error instanceof Skipped)) throw error;
    return crypto.randomUUID();
  }
}

/** A complete request of an operation for something that does not exist. */
export async function inventedInput(t: Context, operation: string): Promise<Input> {
  if (operationById(operation).pathParameters.length === 0) return {};
  return namedInput(t, operation, await inventedIdentifier(t, operation), await inventedIdentifier(t, operation));
}

/** The amount, in units, of a complete transfer request: not the least where the fixtures allow more, since interest may be as small. */
export const namedAmount = (t: Context): number => amount(plainAmount(amountRule(t), 1));

/** A complete request of an operation for `identifier`; `target` is the card that a transfer pays. */
export function namedInput(t: Context, operation: string, identifier: string, target: string): Input {
  const bodies: Record<string, unknown> = {
    'users.setPermissions': {},
    'cards.encryptForVde': {},
    'cards.reissue': {},
    'cards.transfer': {
      targetCardIdentifier: target,
      amount: namedAmount(t),
      ...t.fixtures.cards?.transferBody,
    },
    'cards.setPin': { pin: '4827' },
    // The document shows no body: an empty one, in case one is expected.
    'cards.replace': {},
    'cardholders.update': {},
  };
  return { path: { identifier }, json: bodies[operation] };
}

/** A valid request of an operation that changes nothing. @throws Inconclusive when no identifier for it is known */
export async function readingInput(t: Context, operation: string): Promise<Input> {
  if (operation.endsWith('.list')) return { query: { max: 1 } };
  const identifier = operation === 'users.get' ? await aCustomer(t) : await t.shared(aCard);
  return namedInput(t, operation, identifier, identifier);
}

/** Another documented form of a request that reads: a look-up, a filter, a later page. */
export interface OtherForm {
  /** For messages: `byToken`. */
  name: string;
  /** Builds the request anew each time, since temporary and continuation tokens expire; undefined where no value for it is known. */
  input: (t: Context) => Promise<Input | undefined>;
  /** Whether another form contains this one: each run tries only some of these. */
  isPart?: boolean;
}

const CARD_FILTERS = ['customerIdentifier', 'programIdentifier', 'orderIdentifier', 'externalIdentifier'] as const;
const CUSTOMER_FILTERS = {
  name: 'nameFragment',
  parentIdentifier: 'parentIdentifier',
  v1Identifier: 'v1Identifier',
} as const;

/** A listing by every filter for which the fixtures give a value; undefined where they give fewer than two. */
function byAll(filters: Record<string, string | undefined>): Input | undefined {
  const given = Object.values(filters).filter((value) => value !== undefined);
  return given.length > 1 ? { query: { max: 1, ...filters } } : undefined;
}

/** One of the other forms of an operation, chosen by the seed. */
export const rotatedOtherForms = (t: Context, operation: string): OtherForm[] =>
  rotated(t.run, `${operation}: other forms`, OTHER_FORMS[operation] ?? []);

/** The other forms of an operation that this run tries: all those that no other form contains, and some of the rest. */
export function mostOtherForms(t: Context, operation: string): OtherForm[] {
  const forms = OTHER_FORMS[operation] ?? [];
  const parts = forms.filter(({ isPart }) => isPart);
  const some = parts.length > 0 ? rotated(t.run, `${operation}: single filters`, parts, PARTS_PER_RUN) : [];
  return [...forms.filter(({ isPart }) => !isPart), ...some];
}

/** Number of contained forms that each run tries. */
const PARTS_PER_RUN = 1;

/** Documented forms of a request other than the plain one, by operation (reading 17). */
export const OTHER_FORMS: Record<string, readonly OtherForm[]> = {
  'cards.get': [
    {
      name: 'by its temporary token',
      async input(t) {
        const path = { identifier: await t.shared(aCard) };
        const made = await t.call('cards.createToken', { path }, { intent: 'refusable' });
        const token = member(made, 'token');
        return succeeded(made) && typeof token === 'string'
          ? { path: { identifier: token }, query: { byToken: true } }
          : undefined;
      },
    },
    {
      name: 'by its proxy',
      async input({ fixtures }) {
        const { proxyNumber, programIdentifier, isDigital } = fixtures.cards?.byProxy ?? {};
        return proxyNumber === undefined
          ? undefined
          : { path: { identifier: proxyNumber }, query: { byProxy: true, programIdentifier, isDigital } };
      },
    },
  ],
  'cards.list': [
    ...CARD_FILTERS.map((filter) => ({
      name: `by ${filter}`,
      isPart: true,
      async input({ fixtures }: Context) {
        const value = fixtures.cards?.filters?.[filter];
        return value === undefined ? undefined : { query: { max: 1, [filter]: value } };
      },
    })),
    { name: 'by all filters', input: async ({ fixtures }) => byAll(fixtures.cards?.filters ?? {}) },
  ],
  'users.list': [
    ...Object.entries(CUSTOMER_FILTERS).map(([filter, key]) => ({
      name: `by ${filter}`,
      isPart: true,
      async input({ fixtures }: Context) {
        const value = fixtures.users?.[key];
        return value === undefined ? undefined : { query: { max: 1, [filter]: value } };
      },
    })),
    {
      name: 'by all filters',
      async input({ fixtures: { users = {} } }) {
        return byAll(Object.fromEntries(Object.entries(CUSTOMER_FILTERS).map(([filter, key]) => [filter, users[key]])));
      },
    },
    {
      name: 'on a later page',
      async input(t) {
        const token = member(await t.call('users.list', { query: { max: 1 } }), 'continuationToken');
        return typeof token === 'string' && token !== '' ? { query: { max: 1, token } } : undefined;
      },
    },
  ],
};
