/**
 * Sound portals with rules for one kind of orders or CIP checks: Digital cards, loads, persons without numbers. What is accepted of another kind
 * says nothing about them (reading 47).
 */
import type { SandboxOptions } from '../../sandbox/index.ts';
import { type Body, bodyIn, cardsIn } from '../changed-sandbox.ts';
import { wholeOrder } from './portal-order-rules.ts';
import { atMostFor, CIP, ORDER, ownRule, portalRule } from './portal-rule.ts';
import { setting, thoroughly, type Variant } from './variant.ts';

const ORDERED = 'Order rules, 3 and 4: what else a program may want of such orders is not said';
const LIMITED = 'Limits: rate limits are not shown';

const isDigital = ({ cardType }: Body) => cardType === 'Digital';
const isLoad = (order: Body) => cardsIn(order).some(({ amount }) => Number(amount) > 0);
const KINDS = { 'Digital orders': isDigital, 'orders with load': isLoad };

/** Each kind of orders with a rule. */
const ofEachKind = (rule: string, sandbox: (isMeant: (order: Body) => boolean) => SandboxOptions): Variant[] =>
  Object.entries(KINDS).map(([kind, isMeant]) => portalRule(`${kind}: ${rule}`, ORDERED, sandbox(isMeant)));

/** One order of a kind for each value of some members of its cards. */
const oncePer = (...names: readonly string[]) =>
  ofEachKind(`one for each ${names.join(' and ')}`, (isMeant) =>
    atMostFor(1, ORDER, (order) => {
      const values = isMeant(order) ? cardsIn(order).map((card) => names.map((name) => card[name])) : [];
      return values.filter((value) => value.some((one) => one !== undefined));
    }),
  );

/** Orders of a kind are refused. */
const refused = (isMeant: (order: Body) => boolean): SandboxOptions => ({
  rules: ownRule((request) => request.operation === ORDER && isMeant(bodyIn(request))),
});

/** Orders of a kind need a member in each card. */
const needing = (name: string) =>
  ofEachKind(`they need ${name}`, (isMeant) =>
    refused((order) => isMeant(order) && cardsIn(order).some((card) => card[name] === undefined)),
  );

/** Orders of a kind are taken of one type alone, which is not the first that a physical card is taken with. */
const ofOneType = (type: RegExp) =>
  ofEachKind(`of ${type.source} alone`, (isMeant) =>
    refused((order) => isMeant(order) && !type.test(String(order.orderProdType))),
  );

const digital = wholeOrder(7004, 'Direct Order - CORP', { cardType: 'Digital' }, { email: 'fay@fixture.example' });

/** Whether somebody is named, without ssn. */
const hasNoSsn = ({ lastName, ssn }: Body) => lastName !== undefined && ssn === undefined;
const hasNoNumbers = (person: Body) => hasNoSsn(person) && person.ssnLast4 === undefined;

/** At most so many CIP checks of a kind. */
const checks = (most: number, kind: string, isMeant: (person: Body) => boolean): Variant[] =>
  [400, 403].map((status) =>
    portalRule(
      `at most ${most} CIP checks of ${kind}, then ${status}`,
      LIMITED,
      atMostFor(most, CIP, (person) => (isMeant(person) ? ['any'] : []), status),
    ),
  );

/** One CIP check for each value of some members of a person who gives no ssn. */
const checkedOncePer = (...names: readonly string[]): Variant =>
  portalRule(
    `one CIP check without ssn for each ${names.join(' and ')}`,
    LIMITED,
    atMostFor(1, CIP, (person) => (hasNoSsn(person) ? [names.map((name) => person[name])] : [])),
  );

export const kindRuleVariants: readonly Variant[] = [
  ...oncePer('phone'),
  ...oncePer('firstName', 'lastName'),
  ...oncePer('email'),
  ...ofEachKind('one for each ship-to address', (isMeant) =>
    atMostFor(1, ORDER, (order) => (isMeant(order) ? [order.address1] : [])),
  ),
  ...ofEachKind('two a program', (isMeant) =>
    atMostFor(2, ORDER, (order) => (isMeant(order) ? [order.custProgId] : [])),
  ),
  ...needing('email'),
  ...needing('purseNo'),
  ...needing('otherInfo'),
  ...ofOneType(/^Reloadable/),
  ...ofOneType(/^Direct/),
  portalRule(
    'one Digital order for each phone, which is that of the order in the fixtures file',
    ORDERED,
    atMostFor(1, ORDER, (order) => (isDigital(order) ? cardsIn(order).map(({ phone }) => phone) : [])),
    { configure: setting({ portal: { programs: { digitalOn: { custProgId: 7004, order: digital } } } }) },
  ),
  thoroughly(
    portalRule(
      'one order of any kind for each phone and each name',
      LIMITED,
      atMostFor(1, ORDER, (order) =>
        cardsIn(order).flatMap(({ phone, firstName, lastName }) => [phone, [firstName, lastName]]),
      ),
    ),
  ),
  ...checks(3, 'persons without ssn', hasNoSsn),
  ...checks(1, 'persons without any number', hasNoNumbers),
  checkedOncePer('address'),
  checkedOncePer('firstName', 'lastName'),
];
