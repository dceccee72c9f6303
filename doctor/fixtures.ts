/** Examines the fixtures: which exist, how many runs they last, and what missing ones leave untested. */
import type { Fixtures } from '../contracts/fixtures.ts';
import { operation } from '../contracts/operations.ts';
import { type Requirement, requirements } from '../contracts/requirements/index.ts';
import { member, succeeded } from '../helpers/answer.ts';
import { type Call, isActive } from '../helpers/cards/card-state.ts';
import {
  CONSUMED,
  isAsPromised,
  isWornOut,
  type LeasedCard,
  POOLS,
  type PoolName,
  readCard,
  statusOfAll,
} from '../helpers/cards/pools.ts';
import { missingFixture } from '../helpers/configuration/fixtures.ts';
import { requirementInScope } from '../helpers/configuration/scope.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { fault, good, note, type Remark } from './diagnosis.ts';

/** Number of requirement ids that are named before the rest is counted. */
const NAMED = 4;

const CUSTOMERS = [
  'customerIdentifier',
  'parentIdentifier',
  'childIdentifier',
  'unrelatedIdentifier',
  'nameMatchIdentifier',
  'nameMismatchIdentifier',
  'v1MatchIdentifier',
  'writableCustomerIdentifier',
] as const;

/**
 * Checks, by reading, whether the things named in the fixtures file exist. @param call reads with the token of the run
 */
export async function examineNamed({ users = {}, cards = {} }: Fixtures, call: Call): Promise<Remark[]> {
  const named = [
    ...CUSTOMERS.map((key) => ({ key: `users.${key}`, operation: 'users.get', identifier: users[key] })),
    { key: 'cards.withRelated', operation: 'cards.get', identifier: cards.withRelated },
    { key: 'cards.byProxy.identifier', operation: 'cards.get', identifier: cards.byProxy?.identifier },
  ];
  const remarks = await Promise.all(
    named.map(async ({ key, operation, identifier }) => {
      if (identifier === undefined) return undefined;
      const answer = await call(operation, { path: { identifier } });
      if (succeeded(answer)) return good(`${key} exists`);
      return fault(`${key} does not exist: ${operation} answers ${answer.status}`, 'correct the fixtures file');
    }),
  );
  const beyondReach = [
    ...(cards.foreign ?? []).map((identifier, index) => ({
      key: `cards.foreign[${index}]`,
      operation: 'cards.get',
      identifier,
    })),
    { key: 'users.foreignCustomerIdentifier', operation: 'users.get', identifier: users.foreignCustomerIdentifier },
  ];
  const foreign = await Promise.all(
    beyondReach.map(async ({ key, operation, identifier }) => {
      if (identifier === undefined) return undefined;
      const answer = await call(operation, { path: { identifier } });
      if (!succeeded(answer)) return good(`${key} cannot be read with these credentials, as it should be`);
      return note(
        `${key} can be read with these credentials`,
        'it is not foreign, or the target discloses it wrongly, which a run would report as a failure',
      );
    }),
  );
  return [...remarks, ...foreign].filter((remark) => remark !== undefined);
}

/** Counts the cards of each pool that are in the promised state, and the runs that they last for. */
export async function examinePools(configuration: Configuration, call: Call): Promise<Remark[]> {
  const given = POOLS.flatMap((pool) => (configuration.fixtures.cards?.[pool] ?? []).map((card) => ({ pool, card })));
  const read = await Promise.all(given.map(({ pool, card }) => readCard(pool, card, call)));
  const found = read.filter((card) => card?.record !== undefined && succeeded(card.record)) as LeasedCard[];
  return [
    ...POOLS.flatMap((pool) => {
      const all = given.filter((one) => one.pool === pool).map(({ card }) => card);
      return all.length === 0 ? [] : remarksOf(pool, all, found);
    }),
    ...twiceIn(given),
  ];
}

/** Cards that stand in a pool, or in several, more than once. */
function twiceIn(given: readonly { pool: PoolName; card: string }[]): Remark[] {
  return [...Map.groupBy(given, ({ card }) => card)]
    .filter(([, places]) => places.length > 1)
    .map(([card, places]) => {
      const pools = [...new Set(places.map(({ pool }) => `cards.${pool}`))].join(' and ');
      return note(`${card} stands ${places.length} times in ${pools}`, 'name each card once, in one pool');
    });
}

/** Texts of the fixtures that begin or end with a blank, which no target takes for the same without. */
export function examineBlanks(fixtures: Fixtures): Remark[] {
  const textsIn = (value: unknown, path: string): [string, string][] => {
    if (typeof value === 'string') return [[path, value]];
    if (typeof value !== 'object' || value === null) return [];
    const below = (name: string) => (Array.isArray(value) ? `${path}[${name}]` : path ? `${path}.${name}` : name);
    return Object.entries(value).flatMap(([name, member]) => textsIn(member, below(name)));
  };
  return textsIn(fixtures, '')
    .filter(([, text]) => text !== text.trim())
    .map(([path]) => note(`${path} begins or ends with a blank`, 'remove it, unless it belongs to the value'));
}

/** What is to say of a pool. @param all its cards @param found the cards of all pools that could be read */
function remarksOf(pool: PoolName, all: readonly string[], found: readonly LeasedCard[]): Remark[] {
  const own = found.filter((card) => card.pool === pool);
  const left = own.filter((card) => isAsPromised(card) && !isWornOut(card, found));
  const mayBeFreed = pool === 'fraud' && left.length > 0 && left.every(isActive);
  const doubt = mayBeFreed ? '; they are Active, so that they may have been freed before' : '';
  const text = `cards.${pool}: ${left.length} of ${all.length} in the promised state${othersThan(left, all, own)}${lasting(pool, left.length)}${doubt}`;
  if (left.length === 0) {
    const cause = statusOfAll(
      pool,
      own.map(({ status }) => status),
    );
    return [note(text, cause ?? `checks that need it are inconclusive; ${REFILL[pool]}`)];
  }
  const isScarce = CONSUMED[pool] > 0 && left.length < 2 * CONSUMED[pool];
  const isForWallet = pool !== 'disposable' || left.some((card) => !isProvisioned(card));
  return [isScarce ? note(text, REFILL[pool]) : good(text), ...(isForWallet ? [] : [ALL_PROVISIONED])];
}

/** The cards of a pool that are not in the promised state, with what they are in. */
function othersThan(left: readonly LeasedCard[], all: readonly string[], own: readonly LeasedCard[]): string {
  const others = all.filter((card) => !left.some(({ identifier }) => identifier === card));
  if (others.length === 0) return '';
  const named = others.slice(0, NAMED).map((card) => {
    const read = own.find(({ identifier }) => identifier === card);
    if (!read) return `${card} (not found)`;
    const balance = read.balance === undefined ? [] : [`balance ${(read.balance / 100).toFixed(2)}`];
    return `${card} (${[read.status ?? 'no status', ...balance].join(', ')})`;
  });
  const more = others.length > NAMED ? ` and ${others.length - NAMED} more` : '';
  return `, and not ${named.join(', ')}${more}`;
}

/** How a pool is refilled. */
const REFILL: Record<PoolName, string> = {
  active: 'name Active cards with a balance',
  disposable:
    'add Active cards, some with a balance, by hand, by --write-fixtures FILE --pool disposable=ID,... or by RUN_FIXTURES_COMMAND',
  unused:
    'add cards that were not activated, by hand, by --write-fixtures FILE --pool unused=ID,... or by RUN_FIXTURES_COMMAND',
  fraud:
    'add cards with reported fraud, by hand, by --write-fixtures FILE --pool fraud=ID,... or by RUN_FIXTURES_COMMAND',
};

const isProvisioned = ({ record }: LeasedCard) => record && member(record, 'isProvisionedToWallet') === true;

const ALL_PROVISIONED = note(
  'cards.disposable: every remaining card is already provisioned to a wallet',
  'cards.markWalletProvisioned.provisioned is inconclusive: name one that is not provisioned',
);

function lasting(pool: PoolName, left: number): string {
  const consumed = CONSUMED[pool];
  if (consumed === 0) return '; a run restores them';
  const runs = Math.floor(left / consumed);
  const lasts = runs === 0 ? 'not enough for a whole run' : `enough for ${runs} run${runs === 1 ? '' : 's'}`;
  return `; a run with RUN_RISK=irreversible uses up ${consumed}: ${lasts}`;
}

const PERSONS = ['pass', 'fail', 'partialDifferentiator', 'partialQuestions'] as const;

/**
 * Checks that each person for CIP checks has all required members. Only a run submits them, since a CIP check is
 * irreversible.
 */
export function examinePersons({ fixtures }: Configuration): Remark[] {
  const { requiredMembers } = operation('portal.getCIPCheck').body!;
  return PERSONS.flatMap((key) => {
    const person = fixtures.portal?.cip?.[key];
    if (person === undefined) return [];
    const lacking = requiredMembers.filter((name) => person[name] === undefined);
    return lacking.length > 0
      ? [fault(`portal.cip.${key} lacks ${lacking.join(', ')}`, 'complete it: it must be a whole getCIPCheck body')]
      : [good(`portal.cip.${key} is complete; a run with RUN_RISK=irreversible tries it`)];
  });
}

/** Each missing key, with the requirements that it leaves untested. */
export function examineMissing(configuration: Configuration): Remark[] {
  const inScope = requirements.filter((requirement) => requirementInScope(configuration, requirement));
  const keys = [...new Set(inScope.flatMap(({ needs }) => needs))];
  const missing = keys
    .filter((key) => missingFixture(configuration.fixtures, [key]) !== undefined)
    .map((key) => note(`${key} is missing: ${untested(inScope.filter(({ needs }) => needs.includes(key)))}`));
  const isAsked = inScope.some(({ id }) => id === 'cards.list.foreign');
  const hasForeign = configuration.fixtures.users?.foreignCustomerIdentifier !== undefined;
  return isAsked && !hasForeign ? [...missing, FOREIGN_MISSING] : missing;
}

/** What no requirement needs, and one uses. */
const FOREIGN_MISSING = note(
  'users.foreignCustomerIdentifier is missing: cards.list.foreign is judged without a filter that names a customer of others',
);

function untested(list: readonly Requirement[]): string {
  const named = list.slice(0, NAMED).map(({ id }) => id);
  const more = list.length > NAMED ? ` and ${list.length - NAMED} more` : '';
  return `leaves ${named.join(', ')}${more} untested`;
}
