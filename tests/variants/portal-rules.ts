/**
 * Sound portals with rules of their own of which the document says nothing: how many, how much, how often, of which form,
 * in which order. Each names what the document leaves open.
 */
import type { AnswerFilter, SandboxRequest } from '../../sandbox/exchange.ts';
import type { Rules, SandboxOptions, World } from '../../sandbox/index.ts';
import type { Variant } from './variant.ts';

type Body = Record<string, unknown>;

const CIP = 'portal.getCIPCheck';
const ORDER = 'portal.orderCards';
const HIERARCHY = 'portal.getCustomerHierarchy';
const PROGRAM_LIST = 'portal.getCustomerProgramList';
const ATM = 'portal.getATMLocation';

const variant = (name: string, basis: string, sandbox: SandboxOptions, configure?: Variant['configure']): Variant => ({
  name: `portal rule: ${name}`,
  basis,
  sandbox,
  ...(configure ? { configure } : {}),
});

/** A rule of its own by which some requests are refused. */
const refusing = (
  name: string,
  basis: string,
  isRefused: (request: SandboxRequest, world: World) => boolean,
  more: Partial<Rules> = {},
): Variant => variant(name, basis, { rules: { ...ownRule(isRefused), ...more } });

const ownRule = (isRefused: (request: SandboxRequest, world: World) => boolean): Pick<Rules, 'alsoRefuses'> => ({
  alsoRefuses: (request, world) => (isRefused(request, world) ? { kind: 'range', name: 'rule' } : undefined),
});

const bodyIn = ({ body }: SandboxRequest): Body =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Body) : {};
const ifCip = (isRefused: (person: Body) => boolean) => (request: SandboxRequest) =>
  request.operation === CIP && isRefused(bodyIn(request));
const cardsIn = (order: Body): Body[] => (Array.isArray(order.orderDetails) ? (order.orderDetails as Body[]) : []);
const ifOrder = (isRefused: (order: Body, cards: Body[]) => boolean) => (request: SandboxRequest) =>
  request.operation === ORDER && isRefused(bodyIn(request), cardsIn(bodyIn(request)));

/** Successes of an operation are counted by a key; what goes beyond `most` is refused. */
function atMost(
  most: number,
  operation: string,
  keyOf: (request: SandboxRequest) => string = () => '',
  status = 400,
): SandboxOptions {
  const counts = new WeakMap<World, Map<string, number>>();
  const countsOf = (world: World) => {
    if (!counts.has(world)) counts.set(world, new Map());
    return counts.get(world)!;
  };
  return {
    rules: {
      ...ownRule(
        (request, world) => request.operation === operation && (countsOf(world).get(keyOf(request)) ?? 0) >= most,
      ),
      refusalStatus: ({ name }, byDefault) => (name === 'rule' ? status : byDefault),
    },
    middleware: [
      (answer, { request, world }) => {
        if (request.operation !== operation || answer.status >= 300) return undefined;
        const key = keyOf(request);
        countsOf(world).set(key, (countsOf(world).get(key) ?? 0) + 1);
        return undefined;
      },
    ],
  };
}

const BUSY_MS = 8;

/** While a request of an operation is answered, another one of the same key is refused. */
function oneAtATime(operation: string, keyOf: (request: SandboxRequest) => string, status: number): SandboxOptions {
  const until = new WeakMap<World, Map<string, number>>();
  return {
    rules: {
      ...ownRule((request, world) => {
        if (request.operation !== operation) return false;
        if (!until.has(world)) until.set(world, new Map());
        const ends = until.get(world)!;
        const isBusy = performance.now() < (ends.get(keyOf(request)) ?? 0);
        if (!isBusy) ends.set(keyOf(request), performance.now() + BUSY_MS);
        return isBusy;
      }),
      refusalStatus: ({ name }, byDefault) => (name === 'rule' ? status : byDefault),
    },
    middleware: [
      (answer, { request, refusal }) =>
        request.operation === operation && refusal?.name !== 'rule'
          ? { ...answer, transport: { delayMs: BUSY_MS + 2 } }
          : undefined,
    ],
  };
}

const personIn = (request: SandboxRequest) => `${bodyIn(request).firstName} ${bodyIn(request).lastName}`;
const programIn = (request: SandboxRequest) => String(bodyIn(request).custProgId);

/** First digits of zips by state, as far as the persons of these tests live there. */
const ZIPS: Record<string, RegExp> = { IL: /^6[0-2]\d{3}$/, NY: /^(005\d\d|1[0-4]\d{3})$/ };
const isElsewhere = (zip: unknown, state: unknown) =>
  !(ZIPS[String(state)]?.test(String(zip).padStart(5, '0')) ?? true);

const isIdentifier = (isMeant: (value: string) => boolean) => (order: Body, cards: Body[]) =>
  [order.externalIdentifier, ...cards.flatMap((card) => [card.externalIdentifier, card.otherInfo])].some(
    (value) => typeof value === 'string' && !isMeant(value),
  );

const amountsIn = (cards: Body[]) => cards.map(({ amount }) => amount).filter((amount) => typeof amount === 'number');

/** A whole order of the fixtures file. */
export const wholeOrder = (custProgId: number, orderProdType: string, more: Body = {}, card: Body = {}): Body => ({
  address1: '1 Fixture Road',
  address2: 'Door 3',
  attn: 'Desk',
  city: 'Springfield',
  state: 'IL',
  zip: '62701',
  custProgId,
  shippingFee: 5,
  cardFee: 2,
  orderDetails: [{ firstName: 'Fay', lastName: 'Fixture', phone: '2175550100', ssn: '123456789', ...card }],
  orderProdType,
  customerId: 5001,
  ...more,
});

/** Orders are given whole by the fixtures file, each with an externalIdentifier of the house's form. */
const given =
  (identifier: string, amount?: number): Variant['configure'] =>
  ({ fixtures }) => {
    const load = amount === undefined ? {} : { amount };
    const total = amount === undefined ? {} : { totalValue: amount };
    const order = { externalIdentifier: identifier };
    fixtures.portal = {
      ...fixtures.portal,
      programs: {
        ...fixtures.portal?.programs,
        personalized: { custProgId: 7001, order: wholeOrder(7001, 'Personalized Payroll Order', order, {}) },
        other: { custProgId: 7003, order: wholeOrder(7003, 'Personalized Purchasing Order', order, {}) },
        digitalOn: {
          custProgId: 7004,
          order: wholeOrder(7004, 'Direct Order - CORP', { ...order, cardType: 'Digital' }, {}),
        },
        loadOn: {
          custProgId: 7006,
          order: wholeOrder(
            7006,
            'Direct Order - CORP',
            { ...order, ...total },
            { ...load, externalIdentifier: identifier },
          ),
        },
        uniqueOtherInfo: {
          custProgId: 7008,
          order: wholeOrder(7008, 'Personalized Payroll Order', order, { otherInfo: identifier }),
        },
        duplicateLoadChecker: {
          custProgId: 7009,
          order: wholeOrder(
            7009,
            'Direct Order - CORP',
            { ...order, ...total },
            { ...load, externalIdentifier: identifier },
          ),
        },
      },
    };
  };

/** Every program requires an otherInfo, as the orders of the fixtures file have it. */
const otherInfoEverywhere: Variant = {
  name: 'every program wants an otherInfo',
  basis: 'order rule 5: Make Other Field Required is an option of the program',
  sandbox: {
    rules: {
      requires: (operation, name, byDefault) =>
        (operation === 'portal.orderCards' && name === 'orderDetails.otherInfo') || byDefault,
    },
  },
  configure: ({ fixtures }) => {
    const order = (type: string, custProgId: number, more: Body = {}) => ({
      custProgId,
      order: wholeOrder(custProgId, type, more, { otherInfo: 'EMP100' }),
    });
    fixtures.portal = {
      ...fixtures.portal,
      programs: {
        personalized: order('Personalized Payroll Order', 7001),
        instantIssue: order('Instant Issue Payroll Order', 7002, { isInstantIssue: true, qty: 1 }),
        other: order('Personalized Purchasing Order', 7003),
        digitalOn: order('Direct Order - CORP', 7004, { cardType: 'Digital' }),
        uniqueOtherInfo: order('Personalized Payroll Order', 7008),
      },
    };
  },
};

/** An ended session still works for a while on one operation, whose server learns of it later. */
function lateOn(operation: string, milliseconds: number): SandboxOptions {
  const loggedOut = new WeakMap<World, Map<string, number>>();
  const endsOf = (world: World) => {
    if (!loggedOut.has(world)) loggedOut.set(world, new Map());
    return loggedOut.get(world)!;
  };
  let now: Map<string, number> = new Map();
  return {
    rules: {
      meanwhile: (world, { operation: called, query }) => {
        now = endsOf(world);
        if (called === 'portal.logout' && query.sessionId && !now.has(query.sessionId))
          now.set(query.sessionId, performance.now());
      },
      enforces: ({ kind, name, request }) => {
        const ended = now.get(request.query.sessionId ?? '');
        const isFresh = ended !== undefined && performance.now() < ended + milliseconds;
        return !(kind === 'session' && name === 'ended' && request.operation === operation && isFresh);
      },
    },
  };
}

const answering = (operation: string, change: (body: Body, request: SandboxRequest) => Body): AnswerFilter => {
  return (answer, context) =>
    context.operation === operation && answer.status === 200
      ? { ...answer, body: change(answer.body as Body, context.request) }
      : undefined;
};

/** Cards whose otherInfo was seen before are left out of an order, which is taken. */
function leavesOutCards(): SandboxOptions {
  return {
    rules: {
      enforces: ({ kind, name }) => !(kind === 'duplicate' && name.startsWith('otherInfo')),
    },
    middleware: [
      (answer, { operation, request, world }) => {
        if (operation !== ORDER || answer.status !== 200) return undefined;
        const seen = world.orders.slice(0, -1).flatMap(({ cards }) => cards.map(({ otherInfo }) => otherInfo));
        const wanted = cardsIn(bodyIn(request)).map(({ otherInfo }) => otherInfo);
        const isRepeated = wanted.some(
          (value, index) => value && (seen.includes(String(value)) || wanted.indexOf(value) < index),
        );
        const { orderId } = world.orders.at(-1)!;
        return isRepeated ? { ...answer, body: { status: 'Accepted in part', orderId } } : undefined;
      },
    ],
  };
}

const cipVariants: readonly Variant[] = [
  variant(
    'three CIP checks per person',
    'getCIPCheck: how often a person is verified is not said',
    atMost(3, CIP, personIn),
  ),
  variant(
    'three CIP checks per person, then 403',
    'Errors: 403 is "understood but refused"; how often a person is verified is not said',
    atMost(3, CIP, personIn, 403),
  ),
  variant(
    'a person is verified once a day',
    'getCIPCheck: how often a person is verified is not said',
    atMost(1, CIP, (request) => JSON.stringify([personIn(request), bodyIn(request).ssn])),
  ),
  variant('twelve CIP checks a day', 'Limits: rate limits are not shown', atMost(12, CIP, undefined, 403)),
  variant(
    'one CIP check at a time',
    'getCIPCheck: requests at the same moment are not spoken of',
    oneAtATime(CIP, () => '', 409),
  ),
  refusing(
    'the zip of a person belongs to the state',
    'getCIPCheck body: zip is 5 digits; whether it is held against state is not said',
    ifCip(({ zip, state }) => isElsewhere(zip, state)),
  ),
  refusing(
    'persons are of age, and were born after 1920',
    'getCIPCheck body: dobYear is 4 digits; which years are people is not said',
    ifCip(
      ({ dobYear }) =>
        typeof dobYear === 'number' && String(dobYear).length === 4 && (dobYear > 2005 || dobYear < 1920),
    ),
  ),
  refusing(
    'a date of birth is a day of the calendar',
    'getCIPCheck body: dobMonth and dobDay are 2 digits',
    ifCip(({ dobDay, dobMonth, dobYear }) => {
      const date = new Date(Date.UTC(Number(dobYear), Number(dobMonth) - 1, Number(dobDay)));
      return Number(dobMonth) <= 12 && Number(dobDay) <= 31 && date.getUTCDate() !== Number(dobDay);
    }),
  ),
  refusing(
    'an address begins with a house number and holds words',
    'getCIPCheck body: address is a street address of at most 40 characters',
    ifCip(({ address }) => typeof address === 'string' && !/^\d+ [A-Za-z]+ [A-Za-z0-9 ]+$/.test(address)),
  ),
  refusing(
    'no letter stands three times in a row',
    'getCIPCheck body: address is a street address; what is no address is not said',
    ifCip(({ address }) => /(.)\1\1/.test(String(address ?? ''))),
  ),
  refusing(
    'names of ASCII letters alone',
    'getCIPCheck body: firstName and lastName are strings',
    ifCip(({ firstName, lastName }) => /[^A-Za-z]/.test(`${firstName ?? ''}${lastName ?? ''}`)),
  ),
  refusing(
    'ssn as the authority gives them',
    'getCIPCheck body: ssn is 9 digits; which numbers are given is not said',
    ifCip(({ ssn }) => {
      const text = String(ssn ?? '123456789').padStart(9, '0');
      return text.length === 9 && /^(000|666|9)|^...00|0000$/.test(text);
    }),
  ),
  refusing(
    'all nine digits of an ssn, all four of ssnLast4, all five of a zip',
    'getCIPCheck body: 5, 9 and 4 digits; that integers lose leading zeros is advice',
    ifCip(
      ({ ssn, ssnLast4, zip }) =>
        (typeof ssn === 'number' && ssn >= 0 && ssn < 1e8) ||
        (typeof ssnLast4 === 'number' && ssnLast4 >= 0 && ssnLast4 < 1000) ||
        (typeof zip === 'number' && zip >= 0 && zip < 10_000),
    ),
  ),
  variant('a CIP check without Content-Type is answered with 415', 'HTTP: 415 is for another media type', {
    rules: {
      refusalStatus: ({ operation, kind, request }, byDefault) =>
        operation === CIP && kind === 'missing-body' && request.headers['content-type'] === undefined ? 415 : byDefault,
    },
  }),
  variant(
    'the network is poor for one person',
    'CIP check response: returnCode is 0 if the server is down or the network is poor',
    {
      middleware: [
        (answer, { operation, request }) =>
          operation === CIP && answer.status === 200 && bodyIn(request).firstName === 'Felix'
            ? { ...answer, body: { returnCode: 0, data: { Error: 'try again later' } } }
            : undefined,
      ],
    },
  ),
  variant('unknown persons are refused', 'getCIPCheck: 400 is listed; who must be verified is not said', {
    rules: ownRule(
      ifCip(({ lastName }) => !['Located', 'Unseen', 'Several', undefined, null, ''].includes(lastName as string)),
    ),
  }),
];

const orderVariants: readonly Variant[] = [
  otherInfoEverywhere,
  refusing(
    'identifiers of digits only',
    'orderCards body: externalIdentifier and otherInfo are strings; their form is not said',
    ifOrder(isIdentifier((value) => /^\d*$/.test(value))),
  ),
  refusing(
    'identifiers of twelve characters at most',
    'orderCards body: externalIdentifier and otherInfo are strings; their length is not said',
    ifOrder(isIdentifier((value) => value.length <= 12)),
  ),
  refusing(
    'identifiers without hyphens',
    'orderCards body: externalIdentifier and otherInfo are strings; their form is not said',
    ifOrder(isIdentifier((value) => /^[A-Za-z0-9]*$/.test(value))),
  ),
  variant(
    'identifiers of a form of the house',
    'orderCards body: externalIdentifier is a string; the fixtures file shows its form',
    { rules: ownRule(ifOrder(isIdentifier((value) => /^PO-\d{6}$/.test(value)))) },
    given('PO-004711'),
  ),
  variant(
    'identifiers that are UUIDs',
    'orderCards body: externalIdentifier is a string; the fixtures file shows its form',
    { rules: ownRule(ifOrder(isIdentifier((value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)))) },
    given('3f2b9c1e-5a77-4d0e-9b1c-0a1b2c3d4e5f'),
  ),
  variant('twelve orders a day', 'Limits: rate limits are not shown', atMost(12, ORDER)),
  variant(
    'twelve orders a day, then 403',
    'Errors: 403 is "understood but refused"',
    atMost(12, ORDER, undefined, 403),
  ),
  variant('four orders a day of each program', 'Limits: rate limits are not shown', atMost(4, ORDER, programIn)),
  variant('one order a day of each program', 'Limits: rate limits are not shown', atMost(1, ORDER, programIn)),
  variant(
    'one order of a program at a time',
    'orderCards: requests at the same moment are not spoken of',
    oneAtATime(ORDER, programIn, 409),
  ),
  variant(
    'one order at a time',
    'orderCards: requests at the same moment are not spoken of',
    oneAtATime(ORDER, () => '', 400),
  ),
  refusing(
    'a least load of 20',
    'orderCards body: amount is a number; the least is not said',
    ifOrder((_, cards) => amountsIn(cards).some((amount) => amount < 20)),
  ),
  variant(
    'a least load of 20, which the fixtures know',
    'orderCards body: amount is a number; the fixtures file shows one',
    { rules: ownRule(ifOrder((_, cards) => amountsIn(cards).some((amount) => amount < 20 || amount > 30))) },
    given('4711001', 25),
  ),
  refusing(
    'loads in steps of 25',
    'orderCards body: amount is a number; its step is not said',
    ifOrder((_, cards) => amountsIn(cards).some((amount) => amount % 25 !== 0)),
  ),
  refusing(
    'a greatest load of 5',
    'orderCards body: amount is a number; the greatest is not said',
    ifOrder((_, cards) => amountsIn(cards).some((amount) => amount > 5)),
  ),
  refusing(
    'a load per card wants an externalIdentifier of its own',
    'Order rules, 4: an externalIdentifier is sent per proxy',
    ifOrder((_, cards) => cards.some((card) => card.amount !== undefined && card.externalIdentifier === undefined)),
  ),
  refusing(
    'one card per order',
    'orderCards body: orderDetails, one per card; how many is not said',
    ifOrder((_, cards) => cards.length > 1),
  ),
  refusing(
    'two cards per order at most',
    'orderCards body: orderDetails, one per card; how many is not said',
    ifOrder((_, cards) => cards.length > 2),
  ),
  variant(
    'a person has one card of a program',
    'orderCards: how many cards a person may have is not said',
    (() => {
      const seen = new WeakMap<World, Set<string>>();
      const keys = (request: SandboxRequest) =>
        cardsIn(bodyIn(request)).map(({ ssn }) => `${programIn(request)} ${ssn}`);
      return {
        rules: ownRule(
          (request, world) => request.operation === ORDER && keys(request).some((key) => seen.get(world)?.has(key)),
        ),
        middleware: [
          (answer, { request, world }) => {
            if (request.operation !== ORDER || answer.status >= 300) return undefined;
            if (!seen.has(world)) seen.set(world, new Set());
            for (const key of keys(request)) seen.get(world)!.add(key);
            return undefined;
          },
        ],
      } satisfies SandboxOptions;
    })(),
  ),
  refusing(
    'the zip of a ship-to block belongs to its state',
    'orderCards body: zip and state are strings; whether they are held against each other is not said',
    ifOrder(({ zip, state }) => isElsewhere(zip, state)),
  ),
  refusing(
    'holders have names of letters, phones of ten digits and ssn of nine',
    'orderCards body: firstName, lastName, phone and ssn are strings; their form is not said',
    ifOrder((_, cards) =>
      cards.some(
        ({ firstName, lastName, phone, ssn }) =>
          !/^[A-Za-z]*$/.test(`${firstName ?? ''}${lastName ?? ''}`) ||
          !/^\d{10}$/.test(String(phone ?? '2175550100')) ||
          !/^[1-8]\d{8}$/.test(String(ssn ?? '123456789')),
      ),
    ),
  ),
  refusing(
    'texts of an order are ASCII and 40 characters at most',
    'orderCards body: comment and campaignName are strings; their length is not said',
    ifOrder((order, cards) =>
      [order, ...cards]
        .flatMap(Object.values)
        .some((value) => typeof value === 'string' && !/^[ -~]{0,40}$/.test(value)),
    ),
  ),
  variant(
    'a refused order keeps its externalIdentifier',
    'Order rules, 6: what a refused order leaves behind is not said',
    (() => {
      const used = new WeakMap<World, Set<string>>();
      return {
        rules: ownRule((request, world) => {
          const { externalIdentifier } = bodyIn(request);
          return (
            request.operation === ORDER &&
            externalIdentifier !== undefined &&
            (used.get(world)?.has(`${programIn(request)} ${externalIdentifier}`) ?? false)
          );
        }),
        middleware: [
          (answer, { request, world, refusal }) => {
            const { externalIdentifier } = bodyIn(request);
            if (request.operation !== ORDER || answer.status < 400 || refusal?.kind === 'session') return undefined;
            if (!used.has(world)) used.set(world, new Set());
            if (externalIdentifier) used.get(world)!.add(`${programIn(request)} ${externalIdentifier}`);
            return undefined;
          },
        ],
      } satisfies SandboxOptions;
    })(),
  ),
  variant('a duplicate is answered with an id of the answer', 'orderCards response: not shown', {
    rules: { duplicateOrders: 'repeat', duplicateLoads: 'repeat' },
    middleware: [answering(ORDER, (_, { callNumber }) => ({ id: `answer-${callNumber}`, status: 'Taken' }))],
  }),
  variant(
    'a card with a repeated otherInfo is left out of the order',
    'Order rules, 5: what becomes of the order is not said',
    leavesOutCards(),
  ),
  variant('a repeated load is left out, and its order taken', 'Order rules, 4: what becomes of the order is not said', {
    rules: { duplicateLoads: 'accept' },
  }),
  variant('a duplicate is answered as the first, with 409', 'orderCards: other responses are not shown', {
    rules: {
      refusalStatus: ({ operation, kind }, byDefault) =>
        operation === ORDER && kind === 'duplicate' ? 409 : byDefault,
    },
  }),
  variant('orders are answered with a number alone', 'orderCards response: not shown', {
    middleware: [answering(ORDER, (_, { callNumber }) => ({ confirmation: callNumber }))],
  }),
  variant(
    'a customerId of an order that is not the own one is read over',
    'Order request: the session says whose order it is',
    {
      rules: {
        enforces: ({ operation, kind, name }) =>
          !(
            operation === ORDER &&
            ['customerId', 'custProgId'].includes(name) &&
            kind !== 'missing-member' &&
            kind !== 'member-type'
          ),
      },
    },
  ),
];

/** How long after its login a session is known to the other operations. */
const KNOWN_AFTER_MS = 60;

/** Sessions are known late: until then they are refused as what is none. */
function knownLate(): SandboxOptions {
  const begunIn = new WeakMap<World, Map<string, number>>();
  return {
    rules: {
      alsoRefuses: ({ operation, query }, world) => {
        const begun = begunIn.get(world)?.get(query.sessionId ?? '') ?? 0;
        const isLate = performance.now() < begun + KNOWN_AFTER_MS;
        return operation !== 'portal.login' && isLate ? { kind: 'session', name: 'invented' } : undefined;
      },
    },
    middleware: [
      (answer, { operation, world }) => {
        if (operation !== 'portal.login' || answer.status !== 200) return undefined;
        if (!begunIn.has(world)) begunIn.set(world, new Map());
        begunIn.get(world)!.set(String((answer.body as Body).sessionId), performance.now());
        return undefined;
      },
    ],
  };
}

/** Sessions have the numbers from 11 on. */
function countedSessions(): SandboxOptions {
  const begun: string[] = [];
  return {
    rules: {
      meanwhile: (_, { query }) => {
        if (query.sessionId) query.sessionId = begun[Number(query.sessionId) - 11] ?? 'unknown';
      },
    },
    middleware: [
      answering('portal.login', (body) => ({ ...body, sessionId: String(10 + begun.push(String(body.sessionId))) })),
    ],
  };
}

/** A firewall before the portal refuses what looks like an attack. */
const firewall: Partial<Rules> = {
  ...ownRule(({ query: { sessionId = '', loginID = '', password = '' } }) =>
    [sessionId, loginID, password].some((value) => value === '%' || value.includes("' OR '")),
  ),
  refusalStatus: ({ name }, byDefault) => (name === 'rule' ? 403 : byDefault),
  judgesSessionLast: () => true,
};

const sessionVariants: readonly Variant[] = [
  variant('no login while the user has a session', 'Authentication: how many sessions a user has is not said', {
    rules: { mostSessionsPerUser: 1 },
  }),
  variant('two sessions per user', 'Authentication: how many sessions a user has is not said', {
    rules: { mostSessionsPerUser: 2 },
  }),
  variant('three sessions per user', 'Authentication: how many sessions a user has is not said', {
    rules: { mostSessionsPerUser: 3 },
  }),
  variant('a login ends the earlier sessions of the user', 'Authentication: how many sessions a user has is not said', {
    rules: { singleSessionPerUser: true },
  }),
  variant(
    'a login and a logout end all sessions of the user',
    'Authentication: how many sessions a user has is not said',
    {
      rules: { singleSessionPerUser: true, logoutEndsAll: true },
    },
  ),
  variant('a wrong password locks the user for good', 'Authentication: what follows a wrong password is not said', {
    rules: { wrongPasswordsBeforeLock: 1 },
  }),
  variant(
    'a wrong password locks the user for a moment',
    'Authentication: what follows a wrong password is not said',
    { rules: { wrongPasswordsBeforeLock: 1, lockSeconds: 0.2 } },
    ({ run }) => {
      run.settleMs = 400;
    },
  ),
  variant('a wrong password ends the sessions of the user', 'Authentication: a session is valid for a user session', {
    rules: { wrongPasswordEndsSessions: true },
  }),
  variant('ten logins a day', 'Limits: rate limits are not shown', atMost(10, 'portal.login', undefined, 400)),
  variant('three logins a day', 'Limits: rate limits are not shown', atMost(3, 'portal.login', undefined, 400)),
  ...['portal.getATMLocation', 'portal.getCustomerList', CIP, ORDER].map((operation) =>
    variant(
      `${operation} learns late that a session has ended`,
      'States and transitions: how soon an end shows is not said',
      lateOn(operation, 100),
      ({ run }) => {
        run.settleMs = 200;
      },
    ),
  ),
  variant('bad sessions are answered with 403 where no status is said', 'Errors: 403 is "understood but refused"', {
    rules: {
      refusalStatus: ({ kind, operation }, byDefault) =>
        kind === 'session' && !/ProgramList|logout/.test(operation) ? 403 : byDefault,
    },
  }),
  variant(
    'a session is known to all operations a moment after its login',
    'States and transitions: how soon a session shows is not said',
    knownLate(),
    ({ run }) => {
      run.settleMs = 200;
    },
  ),
  variant('sessions are counted', 'Authentication: the form of sessionId is not said', countedSessions(), ({ run }) => {
    run.thorough = true;
  }),
  ...[4, 20260].map((seed) =>
    variant(
      `a firewall refuses what looks like an attack (seed ${seed})`,
      'Errors: 403 is "understood but refused"',
      { rules: firewall },
      ({ run }) => {
        Object.assign(run, { seed, thorough: true });
      },
    ),
  ),
  variant(
    'one login at a time',
    'login: requests at the same moment are not spoken of',
    oneAtATime('portal.login', () => '', 400),
  ),
  variant('login ids come back in capitals', 'User: loginId is a string', {
    middleware: [answering('portal.login', (body) => ({ ...body, loginId: String(body.loginId).toUpperCase() }))],
  }),
  variant(
    'session identifiers are hexadecimal, in any case of letters',
    'Authentication: the form of sessionId is not said',
    {
      rules: {
        meanwhile: (_, { query }) => {
          if (/^[0-9a-f]+$/i.test(query.sessionId ?? ''))
            query.sessionId = Buffer.from(query.sessionId!, 'hex').toString();
        },
      },
      middleware: [
        answering('portal.login', (body) => ({
          ...body,
          sessionId: Buffer.from(String(body.sessionId)).toString('hex'),
        })),
      ],
    },
  ),
  variant('session identifiers are base64, read leniently', 'Authentication: the form of sessionId is not said', {
    rules: {
      meanwhile: (_, { query }) => {
        if (query.sessionId) query.sessionId = Buffer.from(query.sessionId, 'base64').toString();
      },
    },
    middleware: [
      answering('portal.login', (body) => ({
        ...body,
        sessionId: Buffer.from(String(body.sessionId)).toString('base64'),
      })),
    ],
  }),
];

const lookupVariants: readonly Variant[] = [
  variant(
    'a parent out of reach is not shown',
    'getCustomerHierarchy: customers under the given id plus its parent; reach goes before',
    {
      rules: {
        showsCustomer: (operation, { reachable }, _, byDefault) => byDefault && (operation !== HIERARCHY || reachable),
      },
    },
  ),
  variant('an empty program list is answered with 404', 'getCustomerProgramList: 404 failed to get list', {
    middleware: [
      (answer, { operation }) =>
        operation === PROGRAM_LIST && answer.status === 200 && (answer.body as { items: unknown[] }).items.length === 0
          ? { ...answer, status: 404, body: { message: 'failed to get list' } }
          : undefined,
    ],
  }),
  variant(
    'no program is both selected and not, and an empty list is answered with 404',
    'getCustomerProgramList: true selects auto-created, or branded, programs; 404 failed to get list',
    {
      rules: {
        showsProgram: (program, { customerId, showAutoCreated, showBranded }) =>
          program.customerId === customerId &&
          ((showAutoCreated && program.autoCreated) ||
            (showBranded && program.branded) ||
            (showAutoCreated && showBranded)),
      },
      middleware: [
        (answer, { operation }) =>
          operation === PROGRAM_LIST &&
          answer.status === 200 &&
          (answer.body as { items: unknown[] }).items.length === 0
            ? { ...answer, status: 404, body: { message: 'failed to get list' } }
            : undefined,
      ],
    },
  ),
  ...(
    [
      ['at least ten', (length) => length < 10],
      ['at most five', (length) => length > 5],
      ['exactly twenty', (length) => length !== 20],
      ['ten, 25 or 50', (length) => ![10, 25, 50].includes(length)],
    ] satisfies [string, (length: number) => boolean][]
  ).map(([what, isRefused]) =>
    refusing(
      `pages of cash machines hold ${what}`,
      'Limits: the maximum pageLength of getATMLocation is not shown, nor the least',
      ({ operation, query }) =>
        operation === ATM && /^\d+$/.test(query.pageLength ?? '') && isRefused(Number(query.pageLength)),
    ),
  ),
  refusing(
    'pages of cash machines are counted from 1, and hold at least ten',
    'getATMLocation: pageOffset and pageLength are integers; where they begin is not said',
    ({ operation, query }) =>
      operation === ATM &&
      (query.pageOffset === '0' || (/^\d+$/.test(query.pageLength ?? '') && Number(query.pageLength) < 10)),
  ),
  refusing(
    'a page of cash machines beyond the last is refused',
    'getATMLocation: what lies beyond the last page is not said',
    ({ operation, query }) => operation === ATM && Number(query.pageOffset) > 0,
  ),
  variant('customers come and go', 'Customer: nothing says that the list stands still', {
    rules: {
      showsCustomer: (operation, { customerId }, asked, byDefault) =>
        byDefault && !(customerId % 10 === 7 && customerId !== asked && operation === 'portal.getCustomerList'),
    },
  }),
];

export const portalRuleVariants: readonly Variant[] = [
  ...cipVariants,
  ...orderVariants,
  ...sessionVariants,
  ...lookupVariants,
];
