/** Discovers a target's data by reading, for the doctor's report and a first fixtures file. */
import type { Fixtures } from '../contracts/fixtures.ts';
import { ACTIVE } from '../contracts/v3/cards.ts';
import { bodyOf, entries, memberOf, succeeded } from '../helpers/answer.ts';
import type { Call } from '../helpers/cards/card-state.ts';
import { cardForReading, identifiersOf, namesListed, programsByFlags, statesOf } from '../helpers/cards/discovery.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { good, note, type Remark } from './diagnosis.ts';
import { cardReadings, examineOperations, portalReadings } from './operations.ts';

/** Data that a target shows without a fixtures file. */
export interface Found {
  remarks: Remark[];
  /** As a fixtures file, with no cards in pools. */
  fixtures: Fixtures;
}

/** Number of Active cards that are named, for a person to choose from. */
const NAMED = 5;
/** Number of customers tried as a parent, and of cards tried for related ones. */
const TRIED = 10;

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The combinations of showAutoCreated and showBranded; each may list programs that the others do not. */
const FLAGS = [true, false].flatMap((showAutoCreated) =>
  [true, false].map((showBranded) => ({ showAutoCreated, showBranded })),
);

/** Finds customers, and among the first ones a parent with children. */
export async function findCustomers(call: Call): Promise<Found> {
  const listed = await call('users.list', { query: { max: 50 } });
  const customers = succeeded(listed) ? identifiersOf(entries(listed)) : [];
  if (customers.length === 0) return { remarks: [note('no customer is listed')], fixtures: {} };
  const fixtures: NonNullable<Fixtures['users']> = { customerIdentifier: customers[0]! };
  for (const parent of customers.slice(0, TRIED)) {
    const answer = await call('users.list', { query: { max: 50, parentIdentifier: parent } });
    const children = identifiersOf(entries(answer)).filter((identifier) => identifier !== parent);
    const unrelated = customers.find((identifier) => identifier !== parent && !children.includes(identifier));
    // A full listing, or one that holds every customer, does not prove that any customer is unrelated.
    if (!succeeded(answer) || children.length === 0 || children.length >= 49 || !unrelated) continue;
    Object.assign(fixtures, { parentIdentifier: parent, childIdentifier: children[0], unrelatedIdentifier: unrelated });
    break;
  }
  const family = fixtures.parentIdentifier ? ', one with children among them' : '';
  return {
    remarks: [good(`${count(customers, 'customer')} on the first page${family}`)],
    fixtures: { users: fixtures },
  };
}

/** Finds cards and their states, one with related cards, and one with a proxy. */
export async function findCards(configuration: Configuration, call: Call): Promise<Found> {
  const listed = await call('cards.list', { query: { max: 50 } });
  const cards = succeeded(listed) ? entries(listed) : [];
  if (cards.length === 0) return { remarks: [note('no card is listed')], fixtures: {} };
  const remarks = [good(`${count(cards, 'card')} on the first page: ${statesOf(cards)}`)];
  const active = identifiersOf(cards.filter(({ status }) => status === ACTIVE));
  if (active.length > 0) remarks.push(good(`Active among them: ${active.slice(0, NAMED).join(', ')}`));
  const reading = cardForReading(configuration.fixtures, cards);
  if (reading) remarks.push(...(await examineOperations(configuration, cardReadings(reading), call)));
  const fixtures: NonNullable<Fixtures['cards']> = {};
  const candidates = [...new Set([...(reading ? [reading] : []), ...identifiersOf(cards)])].slice(0, TRIED);
  for (const identifier of candidates) {
    const related = await call('cards.listRelated', { path: { identifier } });
    if (!succeeded(related) || entries(related).length === 0) continue;
    fixtures.withRelated = identifier;
    break;
  }
  const proxied = cards.find(({ identifier, proxyNumber }) => text(identifier) && text(proxyNumber));
  if (proxied) fixtures.byProxy = { proxyNumber: text(proxied.proxyNumber), identifier: text(proxied.identifier) };
  const [customer, external] = ['customerIdentifier', 'externalIdentifier'].map((name) =>
    cards.map((card) => text(card[name])).find((value) => value !== undefined),
  );
  fixtures.filters = {
    ...(customer && { customerIdentifier: customer }),
    ...(external && { externalIdentifier: external }),
  };
  return { remarks, fixtures: { cards: fixtures } };
}

/** Finds the programs of the login's customer by their flags, and the shipping methods. */
export async function findPortal(configuration: Configuration, call: Call, customerId: unknown): Promise<Found> {
  const remarks: Remark[] = [];
  const fixtures: NonNullable<Fixtures['portal']> = {};
  if (typeof customerId === 'number' || typeof customerId === 'bigint') {
    fixtures.customerId = customerId;
    remarks.push(good(`the login belongs to customer ${customerId}`));
    const listings = await Promise.all(
      FLAGS.map((flags) => call('portal.getCustomerProgramList', { query: { customerId, ...flags } })),
    );
    const listed = listings.flatMap((answer) => (succeeded(answer) ? entries(answer) : []));
    const distinct = [...new Map(listed.map((program) => [String(program.rowId), program])).values()];
    const programs = programsByFlags(distinct);
    if (programs.personalized !== undefined || programs.instantIssue !== undefined) fixtures.programs = programs;
    remarks.push(good(`it has ${count(distinct, 'customer program')} under all combinations of the flags`));
    if (listings.some(succeeded)) remarks.push(...unlisted(configuration, distinct));
    remarks.push(...(await examineOperations(configuration, portalReadings(customerId), call)));
  }
  const methods = await call('portal.getShippingMethods', {});
  if (succeeded(methods) && memberOf(bodyOf(methods), 'items') !== undefined)
    remarks.push(good(`shipping methods: ${namesListed(bodyOf(methods)).join(', ') || 'none'}`));
  return { remarks, fixtures: { portal: fixtures } };
}

/** Programs of the fixtures file that no listing of the login's customer shows. */
function unlisted({ fixtures }: Configuration, listed: readonly Record<string, unknown>[]): Remark[] {
  const rowIds = new Set(listed.map(({ rowId }) => String(rowId)));
  const idOf = (given: unknown) => String(memberOf(given, 'custProgId') ?? given);
  const missing = Object.entries(fixtures.portal?.programs ?? {}).filter(([, given]) => !rowIds.has(idOf(given)));
  return missing.map(([key]) =>
    note(
      `portal.programs.${key} is not among them`,
      'correct the fixtures file, unless it belongs to a customer below',
    ),
  );
}

const count = (list: readonly unknown[], what: string): string =>
  `${list.length} ${what}${list.length === 1 ? '' : 's'}`;
