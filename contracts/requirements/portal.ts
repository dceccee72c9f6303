/** Hand-written requirements of the portal. */
import type { Statement } from './requirement.ts';

const CIP = 'CIP check request and response';
const CIP_BODY = 'getCIPCheck body';
const RULES = 'Order rules';
const foreign = ['portal.foreignCustomerId'];

const digits = (member: string, what: string): Statement => ({
  text: `A CIP check is refused with 400 when ${member} ${what}`,
  readings: [39],
  group: 'limits',
  section: CIP_BODY,
});

const outcome = (key: string, what: string): Statement => ({
  text: `The CIP check of ${what}`,
  readings: [38],
  group: 'effects',
  section: 'States and transitions',
  needs: [`portal.cip.${key}`],
});

const order = (text: string, program: string | undefined, readings: number[] = [44]): Statement => ({
  text,
  readings,
  group: 'effects',
  section: RULES,
  needs: program ? [`portal.programs.${program}`] : ['portal.programs'],
});

export const portalStatements: Record<string, Statement> = {
  'portal.login.wrong-password': {
    text: 'A wrong password is refused with 400',
    readings: [32],
    group: 'authorisation',
  },
  'portal.login.unknown-login-id': {
    text: 'An unknown loginID is refused with 400',
    readings: [32],
    group: 'authorisation',
  },
  'portal.login.login-id': {
    text: 'The loginId of the answer is the loginID of the login, in any case of letters',
    readings: [32],
    group: 'effects',
    level: 'should',
    section: 'User (login response)',
    everyExchange: true,
  },
  'portal.login.sessions-differ': {
    text: 'Users who log in at the same moment get different sessions',
    readings: [33],
    group: 'authorisation',
    section: 'Authentication',
    needs: ['portal.restrictedLogin'],
  },
  'portal.login.begins-session': {
    text: 'The session of a login is accepted, of a later one and after a logout too',
    readings: [33],
    group: 'states',
    section: 'States and transitions',
  },
  'portal.login.leaves-other-users': {
    text: 'A login ends no session of another user',
    readings: [33],
    group: 'states',
    section: 'Authentication',
    needs: ['portal.restrictedLogin'],
  },
  'portal.login.customer-id-accepted': {
    text: 'The customerId of the login is accepted by the hierarchy and the program list',
    readings: [36],
    group: 'effects',
    section: 'What the service does',
    operations: ['portal.login', 'portal.getCustomerHierarchy', 'portal.getCustomerProgramList'],
  },
  'portal.logout.ends-session': {
    text: 'After logout the session is refused',
    readings: [33],
    group: 'states',
    section: 'States and transitions',
  },
  'portal.logout.leaves-other-users': {
    text: 'A logout ends no session of another user',
    readings: [33],
    group: 'states',
    section: 'Authentication',
    needs: ['portal.restrictedLogin'],
  },
  'portal.not-entitled': {
    text: 'A user who is not entitled to an operation gets 401',
    readings: [35],
    group: 'authorisation',
    section: 'Authentication',
    needs: ['portal.restrictedLogin'],
    operations: [
      'portal.getCustomerList',
      'portal.getCustomerHierarchy',
      'portal.getCIPCheck',
      'portal.getShippingFeeTypes',
      'portal.getShippingMethods',
      'portal.getCustomerProgramList',
      'portal.getATMLocation',
      'portal.orderCards',
    ],
  },
  'portal.getCustomerList.foreign-customer': {
    text: 'The customer list never shows a customer outside the reach of the login',
    readings: [13, 37],
    group: 'authorisation',
    needs: foreign,
  },
  'portal.getCustomerHierarchy.foreign-customer': {
    text: 'The hierarchy never shows a customer outside the reach of the login',
    readings: [13],
    group: 'authorisation',
    needs: foreign,
  },
  'portal.getCustomerProgramList.foreign-customer': {
    text: 'The program list never shows a program of a customer outside the reach of the login',
    readings: [13],
    group: 'authorisation',
    needs: foreign,
  },
  'portal.getCustomerHierarchy.members': {
    text: 'Every customer of the hierarchy is the given one, below it, or its parent',
    readings: [37],
    group: 'effects',
  },
  'portal.getCustomerHierarchy.children': {
    text: 'A customer that names its parent is in the hierarchy of that parent',
    readings: [37],
    group: 'effects',
  },
  'portal.getCustomerHierarchy.parent-within-reach': {
    text: 'The parent of the given customer is in its hierarchy where that parent is within reach of the login',
    readings: [37],
    group: 'effects',
  },
  'portal.getCustomerHierarchy.parent': {
    text: 'The parent of the given customer is in its hierarchy',
    readings: [37],
    group: 'effects',
    level: 'should',
  },
  'portal.getCIPCheck.return-code-present': {
    text: 'The answer of a CIP check carries returnCode',
    readings: [38],
    group: 'shape',
    level: 'should',
    section: CIP,
    everyExchange: true,
  },
  'portal.getCIPCheck.return-code-zero': {
    text: 'returnCode 0 comes without an outcome when the same person is checked again',
    readings: [38],
    group: 'effects',
    section: CIP,
  },
  'portal.getCIPCheck.outcome-pass': outcome('pass', 'a person who is located gives Pass'),
  'portal.getCIPCheck.outcome-fail': outcome('fail', 'a person who is not found gives Fail'),
  'portal.getCIPCheck.outcome-partial-differentiator': outcome(
    'partialDifferentiator',
    'a person distinguished by differentiator questions gives Partial with diffQuestionList',
  ),
  'portal.getCIPCheck.outcome-partial-questions': outcome(
    'partialQuestions',
    'a person distinguished by configured questions gives Partial with questionList',
  ),
  'portal.getCIPCheck.questions-only-partial': {
    text: 'A question list that is not empty comes only with Partial',
    readings: [38],
    group: 'states',
    section: 'States and transitions',
    everyExchange: true,
  },
  'portal.getCIPCheck.empty-lists-only-partial': {
    text: 'Question lists are null or absent unless the outcome is Partial',
    readings: [38],
    group: 'states',
    section: 'States and transitions',
    level: 'should',
    everyExchange: true,
  },
  'portal.getCIPCheck.address-40-accepted': {
    text: 'An address of 40 characters is accepted',
    readings: [39],
    group: 'limits',
    section: 'Limits',
  },
  'portal.getCIPCheck.address-41-refused': {
    text: 'An address of 41 characters is refused with 400',
    readings: [39],
    group: 'limits',
    section: 'Limits',
  },
  'portal.getCIPCheck.address-counts-characters': {
    text: 'An address of 40 two-byte letters is accepted where 20 are: the limit counts characters',
    readings: [39],
    group: 'limits',
    section: 'Limits',
  },
  'portal.getCIPCheck.zip-digits': digits('zip', 'has more than 5 digits or is negative'),
  'portal.getCIPCheck.dobMonth-digits': digits('dobMonth', 'has more than 2 digits or is negative'),
  'portal.getCIPCheck.dobDay-digits': digits('dobDay', 'has more than 2 digits or is negative'),
  'portal.getCIPCheck.dobYear-digits': digits('dobYear', 'does not have 4 digits or is negative'),
  'portal.getCIPCheck.ssn-digits': digits('ssn', 'has more than 9 digits or is negative'),
  'portal.getCIPCheck.ssnLast4-digits': digits('ssnLast4', 'has more than 4 digits or is negative'),
  'portal.getCIPCheck.one-digit-accepted': {
    text: 'One digit is accepted in dobMonth and in dobDay: integers lose leading zeros',
    readings: [39],
    group: 'limits',
    section: CIP_BODY,
  },
  'portal.getCIPCheck.fewer-digits-accepted': {
    text: 'Integers that lost leading zeros are accepted in zip, ssn and ssnLast4',
    readings: [39],
    group: 'limits',
    level: 'should',
    section: CIP_BODY,
  },
  'portal.getCIPCheck.unusual-values': {
    text: 'Unusual dates, names and addresses of persons are never answered with status 500',
    readings: [39, 9],
    group: 'errors',
    section: CIP_BODY,
  },
  'portal.getCIPCheck.calendar': {
    text: 'A month 13 and a day 32 are refused',
    readings: [39],
    group: 'limits',
    level: 'should',
    section: CIP_BODY,
  },
  'portal.getCustomerProgramList.unknown-customer': {
    text: 'The program list of a customer that does not exist is refused',
    readings: [40],
    group: 'errors',
  },
  'portal.getCustomerProgramList.unknown-customer-status': {
    text: 'The program list of a customer that does not exist is refused with 400, 401, 403 or 404',
    readings: [40],
    group: 'errors',
    level: 'should',
  },
  'portal.getCustomerProgramList.known-programs': {
    text: 'Every known program is listed under some combination of showAutoCreated and showBranded',
    readings: [40, 5],
    group: 'effects',
    needs: ['portal.programs'],
  },
  'portal.getCustomerProgramList.of-customer': {
    text: 'Every program listed belongs to the customer asked for',
    readings: [40],
    group: 'effects',
    level: 'should',
    everyExchange: true,
  },
  'portal.getCustomerProgramList.auto-created': {
    text: 'showAutoCreated=false lists no auto-created program',
    readings: [40],
    group: 'parameters',
    level: 'should',
    everyExchange: true,
  },
  'portal.orderCards.required-item-members': {
    text: 'An order is refused without effect when a required member of one of its cards is absent: firstName, lastName, phone, ssn',
    readings: [42],
    group: 'parameters',
    section: 'orderCards body',
    needs: ['portal.programs'],
  },
  'portal.orderCards.refused-with-400': {
    text: 'An order that lacks or misnames a member is refused with 400',
    readings: [6],
    group: 'errors',
    level: 'should',
    section: 'Errors',
    needs: ['portal.programs'],
  },
  'portal.orderCards.unlisted-order-type': {
    text: 'An orderProdType outside the list is refused',
    readings: [42],
    group: 'limits',
    section: 'orderCards body',
    needs: ['portal.programs'],
  },
  'portal.orderCards.unlisted-card-type': {
    text: 'A cardType other than Physical, Digital, empty and null is refused',
    readings: [42],
    group: 'limits',
    section: 'orderCards body',
    needs: ['portal.programs'],
  },
  'portal.orderCards.unknown-program': {
    text: 'An order on a custProgId that does not exist is refused',
    readings: [42],
    group: 'errors',
    section: 'orderCards body',
    needs: ['portal.programs'],
  },
  'portal.orderCards.card-type-optional': order('cardType absent, empty and null is accepted', undefined, [43]),
  'portal.orderCards.digital-accepted': order(
    'A Digital order without shippingMethod, and with a null one, is accepted where digital cards are on',
    'digitalOn',
    [43],
  ),
  'portal.orderCards.load-accepted': order(
    'An order with amount, totalValue and externalIdentifier is accepted where load while ordering is on',
    'loadOn',
    [43],
  ),
  'portal.orderCards.duplicate-order': order(
    'The externalIdentifier of an earlier order on the same program makes no second order',
    undefined,
  ),
  'portal.orderCards.corrected-order-accepted': {
    ...order('An order that was refused and corrected is accepted under the same externalIdentifier', undefined),
    level: 'should',
  },
  'portal.orderCards.foreign-customer': {
    text: 'An order for a customer outside the reach of the login is refused',
    readings: [13],
    group: 'authorisation',
    level: 'should',
    section: 'orderCards body',
    needs: [...foreign, 'portal.programs'],
  },
  'portal.orderCards.unusual-values': {
    text: 'Unusual comments, names and addresses of orders are never answered with status 500',
    readings: [9],
    group: 'errors',
    section: 'orderCards body',
    needs: ['portal.programs'],
  },
  'portal.orderCards.duplicate-other-program': order(
    'The externalIdentifier of an order on another program is accepted',
    'other',
  ),
  'portal.orderCards.distinct-identifiers': order(
    'Orders whose identifiers differ are two orders, wherever these differ',
    undefined,
  ),
  'portal.orderCards.digital-off': order('A Digital order is refused where digital cards are off', 'digitalOff'),
  'portal.orderCards.load-off': order('An order with load is refused where load while ordering is off', 'loadOff'),
  'portal.orderCards.other-info-required': order(
    'An order without otherInfo is refused where it is required and unique',
    'uniqueOtherInfo',
  ),
  'portal.orderCards.other-info-repeated-in-order': {
    ...order('An order that repeats otherInfo among its cards is refused where it is unique', 'uniqueOtherInfo'),
    level: 'should',
  },
  'portal.orderCards.other-info-repeated-over-orders': order(
    'An order that repeats the otherInfo of an earlier order makes no card where it is unique',
    'uniqueOtherInfo',
  ),
  'portal.orderCards.duplicate-load': {
    ...order(
      'The externalIdentifier of an earlier load makes no second load where the Duplicate Load Checker is on',
      'duplicateLoadChecker',
    ),
    level: 'should',
  },
  'portal.orderCards.order-identifier': {
    ...order('An order of several cards answers with an orderId', undefined),
    level: 'should',
  },
  'portal.orderCards.proxy': { ...order('An order of one card answers with a proxy', undefined), level: 'should' },
};

/** Fixtures needed by the generated requirements of portal operations. */
export const PORTAL_NEEDS: Record<string, readonly string[]> = {
  'portal.orderCards': ['portal.programs'],
};
