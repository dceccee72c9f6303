/** Each mistake (helpers/engine/forms/mistakes.ts) as a fault of the comparisons that an implementation makes. */
import { operations } from '../../contracts/operations.ts';
import * as Forms from '../../helpers/engine/forms/index.ts';
import * as Listings from '../../suites/v3/listings/listings.ts';
import type { Whole } from '../selfcheck/direct.ts';
import { type Broken, bodyOf, type Call, succeeded } from './call.ts';
import { type Accepted, changed, valueAt } from './operator.ts';

/** Something that is sent and compared with what is known. */
export interface Comparison {
  operation: string;
  kind: Forms.Kind;
  /** The requirement that fails where it is compared wrongly. */
  condemns: string;
  /** What it is compared with: values of the same name are known together. */
  among: string;
  /** Whether a text that is not known is wrong by what it condemns; by default each is. */
  isMeant?(text: string): boolean;
  given(call: Call): string | undefined;
  having(call: Call, right: string): Call;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const DIGITS = /^-?\d+$/;

const ofParameter = (name: string): Pick<Comparison, 'given' | 'having'> => ({
  given: (call) => call.query.get(name) ?? undefined,
  having: (call, right) => call.withParameter(name, right),
});
const ofMember = (...path: readonly string[]): Pick<Comparison, 'given' | 'having'> => ({
  given: ({ json }) => textOf(valueAt(json, path)),
  having: (call, right) => call.withJson(changed(call.json, path, () => right)),
});
/** An identifier in the path, by what a look-up says that it is. */
const inPath = (isMeant: (query: URLSearchParams) => boolean): Pick<Comparison, 'given' | 'having'> => ({
  given: ({ identifier, query }) => (isMeant(query) ? identifier : undefined),
  having: (call, right) => call.withIdentifier(right),
});
const isPlain = (query: URLSearchParams) => ![query.get('byToken'), query.get('byProxy')].includes('true');

const documented = operations.filter(({ listedOnly }) => !listedOnly);

const identifiers = documented
  .filter(({ interface: of, pathParameters }) => of === 'v3' && pathParameters.length > 0)
  .map(({ id }): Comparison => {
    const among = id.startsWith('users.') ? 'customers' : 'cards';
    return { operation: id, kind: 'identifier', condemns: `${id}.unknown-identifier`, among, ...inPath(isPlain) };
  });

const tokens = documented
  .filter(({ authorisation }) => authorisation === 'bearer')
  .map(
    ({ id }): Comparison => ({
      operation: id,
      kind: 'token',
      condemns: `${id}.requires-token`,
      among: 'tokens',
      given: ({ credential }) => /^Bearer (.+)$/.exec(credential ?? '')?.[1],
      having: (call, right) => call.withCredential(`Bearer ${right}`),
    }),
  );

const sessions = documented
  .filter(({ authorisation }) => authorisation === 'session')
  .map(
    ({ id }): Comparison => ({
      operation: id,
      kind: 'sessionId',
      condemns: `${id}.requires-session`,
      among: 'sessions',
      ...ofParameter('sessionId'),
    }),
  );

const filters = Listings.both.flatMap(({ operation, filters: ofListing }) =>
  ofListing.map(
    ({ name, requirement, like }): Comparison => ({
      operation,
      kind: like ?? 'filterOfName',
      condemns: like ? requirement : 'users.list.unmatched-name-empty',
      among: `${operation} by ${name}`,
      ...ofParameter(name),
    }),
  ),
);

const integers = documented.flatMap(({ id, query }) =>
  query
    .filter(({ type }) => type === 'integer')
    .map(
      ({ name }): Comparison => ({
        operation: id,
        kind: 'integer',
        condemns: `${id}.integer-parameters`,
        among: `${id} by ${name}`,
        isMeant: (text) => !DIGITS.test(text),
        ...ofParameter(name),
      }),
    ),
);

const customers = (
  [
    ['portal.getCustomerHierarchy', 'members'],
    ['portal.getCustomerProgramList', 'unknown-customer'],
  ] as const
).map(
  ([operation, requirement]): Comparison => ({
    operation,
    kind: 'numberOfNobody',
    condemns: `${operation}.${requirement}`,
    among: 'customers of the portal',
    isMeant: (text) => DIGITS.test(text),
    ...ofParameter('customerId'),
  }),
);

const others: Comparison[] = [
  {
    operation: 'cards.get',
    kind: 'proxy',
    condemns: 'cards.get.unknown-identifier',
    among: 'proxies',
    ...inPath((query) => query.get('byProxy') === 'true'),
  },
  {
    operation: 'cards.get',
    kind: 'temporaryToken',
    condemns: 'cards.get.unknown-identifier',
    among: 'temporary tokens',
    ...inPath((query) => query.get('byToken') === 'true'),
  },
  {
    operation: 'cards.transfer',
    kind: 'identifier',
    condemns: 'cards.transfer.unknown-target',
    among: 'cards',
    ...ofMember('targetCardIdentifier'),
  },
  {
    operation: 'portal.login',
    kind: 'loginId',
    condemns: 'portal.login.unknown-login-id',
    among: 'logins',
    ...ofParameter('loginID'),
  },
  {
    operation: 'portal.orderCards',
    kind: 'orderIdentifier',
    condemns: 'portal.orderCards.distinct-identifiers',
    among: 'orders',
    ...ofMember('externalIdentifier'),
  },
];

/** All comparisons, by the kind of value: a mistake in several kinds at once would leave little of a run. */
export const comparisonsByKind: ReadonlyMap<Forms.Kind, readonly Comparison[]> = Map.groupBy(
  [...identifiers, ...tokens, ...sessions, ...filters, ...integers, ...customers, ...others],
  ({ kind }) => kind,
);

/** Whether an answer shows that what was asked for is known. */
function isFound(answer: Whole): boolean {
  const body = bodyOf(answer);
  const list = valueAt(body, ['results']) ?? valueAt(body, ['items']);
  return succeeded(answer) && !(Array.isArray(list) && list.length === 0);
}

/** Whether values are the same in each run: tokens, sessions and orders are not. */
const isOfRun = (among: string) => !['tokens', 'temporary tokens', 'sessions', 'orders'].includes(among);

/** An implementation that makes a mistake, and what it did. */
export interface Mistaken {
  broken: Broken;
  /** The values that were compared rightly, by what they are among. */
  known: ReadonlyMap<string, ReadonlySet<string>>;
  /** The comparisons in which another value was taken for a right one. */
  made: ReadonlySet<Comparison>;
}

/**
 * Makes a mistake in comparisons: what is not found is looked for as each value that it takes it for.
 * @param accepted what the sound target accepts, so that values are known before they are asked for
 */
export function mistaken(mistake: Forms.Mistake, comparisons: readonly Comparison[], accepted: Accepted): Mistaken {
  const takes = Forms.MISTAKES[mistake];
  const known = new Map<string, Set<string>>();
  const made = new Set<Comparison>();
  const knownOf = ({ among }: Comparison) => {
    const values = known.get(among) ?? new Set<string>();
    known.set(among, values);
    return values;
  };
  for (const { call } of accepted.values())
    for (const comparison of comparisons.filter(
      ({ operation, among }) => isOfRun(among) && operation === call.operation.id,
    )) {
      const given = comparison.given(call);
      if (given !== undefined) knownOf(comparison).add(given);
    }
  const likeKnown = (comparison: Comparison, given: string) => {
    const values = knownOf(comparison);
    const isWrong = !values.has(given) && (comparison.isMeant?.(given) ?? true);
    return isWrong ? [...values].filter((right) => takes(given, right)) : [];
  };

  const broken: Broken = async (call, ask) => {
    const compared = comparisons.flatMap((comparison) => {
      const given = comparison.operation === call.operation.id ? comparison.given(call) : undefined;
      return given === undefined ? [] : [{ comparison, given }];
    });
    // An order is refused for what resembles an earlier one.
    for (const { comparison, given } of compared.filter((one) => one.comparison.kind === 'orderIdentifier')) {
      const [earlier] = likeKnown(comparison, given);
      if (earlier === undefined) continue;
      made.add(comparison);
      return ask(comparison.having(call, earlier));
    }
    const answer = await ask(call);
    if (isFound(answer)) {
      for (const { comparison, given } of compared) knownOf(comparison).add(given);
      return answer;
    }
    for (const { comparison, given } of compared)
      for (const right of likeKnown(comparison, given)) {
        const found = await ask(comparison.having(call, right));
        if (!isFound(found)) continue;
        made.add(comparison);
        return found;
      }
    return answer;
  };
  return { broken, known, made };
}

/** Whether a form of every known value shows a mistake in a comparison, as the tables have it. */
export function isShown({ kind, among }: Comparison, mistake: Forms.Mistake, known: Mistaken['known'], seed: number) {
  const rights = [...(known.get(among) ?? [])];
  const isShownBy = (right: string) =>
    Forms.lookAlikesOf(kind, right, seed).some(({ text }) => Forms.MISTAKES[mistake](text, right));
  return rights.length > 0 && rights.every(isShownBy);
}
