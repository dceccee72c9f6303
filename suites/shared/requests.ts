/** Complete requests of the users and cards interface: for what exists, and for what does not. */
import { operation as operationById } from '../../contracts/operations.ts';
import { type Input, member, succeeded } from '../../helpers/answer.ts';
import { amount } from '../../helpers/cards/card-state.ts';
import type { Context } from '../../helpers/context.ts';
import { rotated } from '../../helpers/rotation.ts';
import { Inconclusive, Skipped } from '../../helpers/verdict.ts';
import { amountRule, plainAmount } from './amounts.ts';
import { invented } from './invented.ts';
import { aCard, aCustomer } from './target-data.ts';

/** An identifier of the form that the operation takes and that names nothing. */
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

/** Units that a complete request of a transfer moves, if the fixtures allow it not the least: interest may be as much. */
export const namedAmount = (t: Context): number => amount(plainAmount(amountRule(t), 1));

/** A complete request of an operation for `identifier`; `target` is where a transfer goes. */
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
    // The document shows no body: an empty one, where one may be expected.
    'cards.replace': {},
    'cardholders.update': {},
  };
  return { path: { identifier }, json: bodies[operation] };
}

/** A valid request of an operation that changes nothing. @throws Inconclusive when nothing is known that it could name */
export async function readingInput(t: Context, operation: string): Promise<Input> {
  if (operation.endsWith('.list')) return { query: { max: 1 } };
  const identifier = operation === 'users.get' ? await aCustomer(t) : await t.shared(aCard);
  return namedInput(t, operation, identifier, identifier);
}

/** Another documented form of a request that reads: a look-up, a filter, a later page. */
export interface OtherForm {
  /** For messages: `byToken`. */
  name: string;
  /** Undefined where nothing is known that it could name. Made anew each time: temporary and continuation tokens end. */
  input: (t: Context) => Promise<Input | undefined>;
  /** Whether another form has all that is in it: each run tries some of these. */
  isPart?: boolean;
}

const CARD_FILTERS = ['customerIdentifier', 'programIdentifier', 'orderIdentifier', 'externalIdentifier'] as const;
const CUSTOMER_FILTERS = {
  name: 'nameFragment',
  parentIdentifier: 'parentIdentifier',
  v1Identifier: 'v1Identifier',
} as const;

/** A listing by every filter of which the fixtures give a value; undefined where there are not two. */
function byAll(filters: Record<string, string | undefined>): Input | undefined {
  const given = Object.values(filters).filter((value) => value !== undefined);
  return given.length > 1 ? { query: { max: 1, ...filters } } : undefined;
}

/** Of the other forms of an operation one that this run tries. */
export const rotatedOtherForms = (t: Context, operation: string): OtherForm[] =>
  rotated(t.run, `${operation}: other forms`, OTHER_FORMS[operation] ?? []);

/** The other forms of an operation, of those that are part of another one some. */
export function mostOtherForms(t: Context, operation: string): OtherForm[] {
  const forms = OTHER_FORMS[operation] ?? [];
  const parts = forms.filter(({ isPart }) => isPart);
  const some = parts.length > 0 ? rotated(t.run, `${operation}: single filters`, parts, PARTS_PER_RUN) : [];
  return [...forms.filter(({ isPart }) => !isPart), ...some];
}

/** Forms that are part of another one, tried in each run. */
const PARTS_PER_RUN = 1;

/** The forms beside the plain one that the documents show, by operation (reading 17). */
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
