/**
 * Faults of the portal by the blind spots of a suite: where a wrong implementation hides when one representative is tried.
 * Each was written down, with the requirements that it breaks, before a check saw it.
 */
import type { AnswerFilter, SandboxRequest } from '../../sandbox/exchange.ts';
import type { Refusal, SandboxOptions, World } from '../../sandbox/index.ts';
import { bodyIn, cardsIn, letThrough, misanswered, thorough } from './broken.ts';
import type { Fault } from './fault.ts';

type Body = Record<string, unknown>;

const CIP = 'portal.getCIPCheck';
const ORDER = 'portal.orderCards';
const HIERARCHY = 'portal.getCustomerHierarchy';
const PROGRAM_LIST = 'portal.getCustomerProgramList';
const ATM = 'portal.getATMLocation';
/** The customer of the sandbox's login. */
const LOGIN_CUSTOMER = 5001;
/** Customers of the second level that have children. */
const WITH_CHILDREN = [5010, 5018, 5026, 5034];

const fault = (
  name: string,
  condemns: string | readonly string[],
  sandbox: SandboxOptions,
  more: Partial<Fault> = {},
) => ({ name: `portal: ${name}`, condemns: [condemns].flat(), sandbox, ...more }) satisfies Fault;

/** What is remembered of one sandbox. */
function memory<T>(make: () => T): (world: World) => T {
  const memories = new WeakMap<World, T>();
  return (world) => {
    if (!memories.has(world)) memories.set(world, make());
    return memories.get(world)!;
  };
}

// ---- one form of bad input --------------------------------------------------------------------------------------

/** One operation takes a session identifier that is like one that was begun. */
function takesLike(operation: string, isLike: (sent: string, begun: string) => boolean): SandboxOptions {
  const begunIn = memory(() => new Set<string>());
  return {
    rules: {
      meanwhile: (world, { operation: called, query }) => {
        const sent = query.sessionId;
        if (called !== operation || sent === undefined || begunIn(world).has(sent)) return;
        const begun = [...begunIn(world)].findLast((one) => isLike(sent, one));
        if (begun !== undefined) query.sessionId = begun;
      },
    },
    middleware: [
      (answer, { operation: called, world }) => {
        if (called === 'portal.login' && answer.status === 200)
          begunIn(world).add(String((answer.body as Body).sessionId));
        return undefined;
      },
    ],
  };
}

/** Refusals that are made once. */
function secondTime(isMeant: (refusal: Refusal) => boolean): SandboxOptions['rules'] {
  let times = 0;
  return letThrough((refusal) => isMeant(refusal) && ++times > 1);
}

const takesPassword = (isLike: (sent: string, right: string) => boolean): SandboxOptions => ({
  rules: {
    meanwhile: ({ data }, { operation, query }) => {
      const user = data.users.find(({ loginId }) => loginId === query.loginID);
      if (operation === 'portal.login' && user && query.password && isLike(query.password, user.password))
        query.password = user.password;
    },
  },
});

/** One form of wrong password is tried a night, by the seed: another case, shortened, continued, one character changed. */
const night = (seed: number, name: string, sandbox: SandboxOptions): Fault =>
  fault(name, 'portal.login.wrong-password', sandbox, {
    configure: ({ run }) => {
      run.seed = seed;
    },
  });

/** Sessions of one user end when another one logs out. */
function endsWithOthers(): SandboxOptions {
  const livingIn = memory(() => new Map<string, unknown>());
  return {
    rules: {
      alsoRefuses: ({ operation, query }, world) => {
        const { sessionId } = query;
        const isLost = sessionId !== undefined && livingIn(world).get(sessionId) === 'lost';
        return operation !== 'portal.login' && isLost ? { kind: 'session', name: 'ended' } : undefined;
      },
    },
    middleware: [
      (answer, { operation, request, world }) => {
        const living = livingIn(world);
        const { userId, sessionId } = (answer.body ?? {}) as Body;
        if (operation === 'portal.login' && answer.status === 200) living.set(String(sessionId), userId);
        if (operation !== 'portal.logout' || answer.status !== 200) return undefined;
        const user = living.get(request.query.sessionId ?? '');
        for (const [id, other] of living) if (other !== user) living.set(id, 'lost');
        return undefined;
      },
    ],
  };
}

const oneFormOfBadInput: readonly Fault[] = [
  fault('a logout ends the sessions of other users', 'portal.logout.leaves-other-users', endsWithOthers()),
  fault('whoever logs in is made a user', 'portal.login.unknown-login-id', {
    rules: {
      meanwhile: ({ data }, { operation, query }) => {
        const { loginID: loginId, password } = query;
        const [user] = data.users;
        if (
          operation === 'portal.login' &&
          user &&
          loginId &&
          password &&
          !data.users.some((one) => one.loginId === loginId)
        )
          data.users.push({ ...user, userId: user.userId + data.users.length, loginId, password });
      },
    },
  }),
  ...(
    [
      ['what follows a loginID is cut off', (sent: string, real: string) => sent.startsWith(real)],
      ['a part of a loginID is enough', (sent: string, real: string) => sent.length > 5 && real.startsWith(sent)],
    ] as const
  ).map(([name, isLike]) =>
    fault(
      name,
      'portal.login.unknown-login-id',
      {
        rules: {
          meanwhile: ({ data }, { operation, query }) => {
            const user = data.users.find(({ loginId }) => query.loginID && isLike(query.loginID, loginId));
            if (operation === 'portal.login' && user) query.loginID = user.loginId;
          },
        },
      },
      thorough,
    ),
  ),
  fault(
    'session identifiers are compared without case by one operation',
    'portal.getShippingMethods.requires-session',
    takesLike('portal.getShippingMethods', (sent, begun) => sent.toLowerCase() === begun.toLowerCase()),
    thorough,
  ),
  fault(
    'ten characters of a session identifier are enough for one operation',
    'portal.getCustomerList.requires-session',
    takesLike('portal.getCustomerList', (sent, begun) => sent.startsWith(begun.slice(0, 10))),
    thorough,
  ),
  fault(
    'a part of a session identifier is enough for one operation',
    'portal.getCustomerHierarchy.requires-session',
    takesLike(HIERARCHY, (sent, begun) => sent.length >= 8 && begun.startsWith(sent)),
    thorough,
  ),
  fault(
    'what follows a session identifier is cut off by one operation',
    'portal.getCIPCheck.requires-session',
    takesLike(CIP, (sent, begun) => sent.startsWith(begun)),
    thorough,
  ),
  ...(['null', '0'] as const).map((word) =>
    fault(
      `the session identifier ${word} is good enough`,
      'portal.getCustomerList.requires-session',
      takesLike('portal.getCustomerList', (sent) => sent === word),
      thorough,
    ),
  ),
  fault(
    'what stands before a session identifier is cut off by one operation',
    'portal.getCIPCheck.requires-session',
    takesLike(CIP, (sent, begun) => sent.length > begun.length && sent.endsWith(begun)),
    thorough,
  ),
  fault(
    'the last character of a session identifier is not compared by one operation',
    'portal.orderCards.requires-session',
    takesLike(ORDER, (sent, begun) => sent.length === begun.length && sent.slice(0, -1) === begun.slice(0, -1)),
    thorough,
  ),
  ...(['loginID', 'password'] as const).map((parameter) =>
    fault(
      `a quote in ${parameter} makes every login a good one`,
      'portal.login.unknown-login-id',
      {
        rules: {
          meanwhile: ({ data }, { operation, query }) => {
            const [user] = data.users;
            if (operation === 'portal.login' && user && /' OR '/.test(query[parameter] ?? ''))
              Object.assign(query, { loginID: user.loginId, password: user.password });
          },
        },
      },
      thorough,
    ),
  ),
  fault(
    'a loginID that is continued logs in',
    'portal.login.unknown-login-id',
    {
      rules: {
        meanwhile: ({ data }, { operation, query }) => {
          const [user] = data.users;
          if (operation === 'portal.login' && user && query.loginID?.startsWith(user.loginId))
            Object.assign(query, { loginID: user.loginId });
        },
      },
    },
    thorough,
  ),
  fault('a user who is not entitled is served the second time', 'portal.not-entitled', {
    rules: secondTime(({ kind }) => kind === 'entitlement'),
  }),
  fault(
    'the middle of a session identifier is not compared by one operation',
    'portal.getShippingFeeTypes.requires-session',
    takesLike(
      'portal.getShippingFeeTypes',
      (sent, begun) =>
        sent.length === begun.length && sent.slice(0, 4) + sent.slice(-4) === begun.slice(0, 4) + begun.slice(-4),
    ),
    thorough,
  ),
  fault(
    'an empty session identifier is good enough for one operation',
    'portal.getATMLocation.requires-session',
    takesLike(ATM, (sent) => sent === ''),
  ),
  fault('an empty session identifier logs out', 'portal.logout.requires-session', {
    rules: letThrough(
      ({ operation, kind, request }) =>
        operation === 'portal.logout' && kind === 'session' && request.query.sessionId === '',
    ),
  }),
  fault(
    'any text of the length of a session identifier orders cards',
    'portal.orderCards.requires-session',
    takesLike(ORDER, (sent, begun) => sent.length === begun.length),
    thorough,
  ),
  fault(
    "another user's ended session works",
    'portal.getCustomerHierarchy.requires-session',
    (() => {
      const othersIn = memory(() => new Set<string>());
      let others = new Set<string>();
      return {
        rules: {
          meanwhile: (world) => {
            others = othersIn(world);
          },
          enforces: ({ operation, kind, name, request }) =>
            !(
              operation === HIERARCHY &&
              kind === 'session' &&
              name === 'ended' &&
              others.has(request.query.sessionId ?? '')
            ),
        },
        middleware: [
          (answer, { operation, world }) => {
            const { userId, sessionId } = (answer.body ?? {}) as Body;
            if (operation === 'portal.login' && userId === 302) othersIn(world).add(String(sessionId));
            return undefined;
          },
        ],
      } satisfies SandboxOptions;
    })(),
    thorough,
  ),
  night(
    0,
    'passwords are compared without case',
    takesPassword((sent, right) => sent.toLowerCase() === right.toLowerCase()),
  ),
  night(
    1,
    'a part of the password is enough',
    takesPassword((sent, right) => sent.length > 3 && right.startsWith(sent)),
  ),
  night(
    2,
    'what follows the password is cut off',
    takesPassword((sent, right) => sent.startsWith(right)),
  ),
  night(8, 'the password of any user is good enough', {
    rules: {
      meanwhile: ({ data }, { operation, query }) => {
        const user = data.users.find(({ loginId }) => loginId === query.loginID);
        if (operation === 'portal.login' && user && data.users.some(({ password }) => password === query.password))
          query.password = user.password;
      },
    },
  }),
  night(
    3,
    'one wrong character of a password is forgiven',
    takesPassword(
      (sent, right) =>
        sent.length === right.length && [...sent].filter((letter, index) => letter !== right[index]).length === 1,
    ),
  ),
  fault('an unlisted cardType that contains a listed one is taken', 'portal.orderCards.unlisted-card-type', {
    rules: { listsCardType: (type, byDefault) => byDefault || /Physical|Digital/.test(type) },
  }),
  fault('any cardType is taken of orders with load', 'portal.orderCards.unlisted-card-type', {
    rules: letThrough(
      ({ operation, kind, name, request }) =>
        operation === ORDER && kind === 'list' && name === 'cardType' && Boolean(bodyIn(request).totalValue),
    ),
  }),
  fault('any orderProdType is taken of orders of several cards', 'portal.orderCards.unlisted-order-type', {
    rules: letThrough(
      ({ operation, kind, name, request }) =>
        operation === ORDER && kind === 'list' && name === 'orderProdType' && cardsIn(bodyIn(request)).length > 1,
    ),
  }),
  fault('any cardType that is not Digital is Physical', 'portal.orderCards.unlisted-card-type', {
    rules: { listsCardType: () => true },
  }),
  fault('an orderProdType that begins as a listed one is taken', 'portal.orderCards.unlisted-order-type', {
    rules: {
      listsOrderType: (type, byDefault) => byDefault || type.startsWith('Personalized Payroll Order'),
      takesOrderType: (_, type, byDefault) => byDefault || type.startsWith('Personalized Payroll Order'),
    },
  }),
];

// ---- one form of a good request -----------------------------------------------------------------------------------

const oneFormOfAGoodRequest: readonly Fault[] = [
  fault(
    'no session is needed for a program list without branded programs',
    'portal.getCustomerProgramList.requires-session',
    {
      rules: letThrough(
        ({ operation, kind, name, request }) =>
          operation === PROGRAM_LIST &&
          kind === 'session' &&
          name === 'missing' &&
          request.query.showBranded === 'false',
      ),
    },
    thorough,
  ),
  fault(
    'no session is needed beyond the first page of cash machines',
    'portal.getATMLocation.requires-session',
    {
      rules: letThrough(
        ({ operation, kind, request }) =>
          operation === ATM && kind === 'session' && Number(request.query.pageOffset) > 0,
      ),
    },
    thorough,
  ),
  fault(
    'a page of fifty cash machines is answered with 500',
    'portal.getATMLocation.status',
    {
      middleware: [
        (answer, { operation, request }) =>
          operation === ATM && answer.status === 200 && Number(request.query.pageLength) >= 50
            ? { ...answer, status: 500, body: {} }
            : undefined,
      ],
    },
    thorough,
  ),
  fault('the limit of an address does not count letters beyond ASCII', 'portal.getCIPCheck.address-41-refused', {
    rules: { cipAddressLength: (address) => address.replaceAll(/[^ -~]/g, '').length },
  }),
  fault(
    'the limit of an address does not hold for persons with ssnLast4 alone',
    'portal.getCIPCheck.address-41-refused',
    {
      rules: letThrough(
        ({ operation, kind, name, request }) =>
          operation === CIP &&
          kind === 'limit' &&
          name === 'address' &&
          bodyIn(request).ssn === undefined &&
          bodyIn(request).ssnLast4 !== undefined,
      ),
    },
  ),
  fault('the digits of a zip do not count without ssn', 'portal.getCIPCheck.zip-digits', {
    rules: letThrough(
      ({ operation, kind, name, request }) =>
        operation === CIP &&
        (kind === 'limit' || kind === 'negative') &&
        name === 'zip' &&
        bodyIn(request).ssn === undefined,
    ),
  }),
  fault(
    'zip may be absent of an instant issue order',
    'portal.orderCards.required-members',
    {
      rules: letThrough(
        ({ operation, kind, name, request }) =>
          operation === ORDER && kind === 'missing-member' && name === 'zip' && bodyIn(request).isInstantIssue === true,
      ),
    },
    thorough,
  ),
  fault('state may be absent of a person without ssn', 'portal.getCIPCheck.required-members', {
    rules: letThrough(
      ({ operation, kind, name, request }) =>
        operation === CIP && kind === 'missing-member' && name === 'state' && bodyIn(request).ssn === undefined,
    ),
  }),
  fault(
    'city may be absent of an order for Digital cards',
    'portal.orderCards.required-members',
    {
      rules: letThrough(
        ({ operation, kind, name, request }) =>
          operation === ORDER && kind === 'missing-member' && name === 'city' && bodyIn(request).cardType === 'Digital',
      ),
    },
    thorough,
  ),
  fault('any orderProdType is taken of Digital cards', 'portal.orderCards.unlisted-order-type', {
    rules: letThrough(
      ({ operation, kind, name, request }) =>
        operation === ORDER && kind === 'list' && name === 'orderProdType' && bodyIn(request).cardType === 'Digital',
    ),
  }),
  fault(
    'shippingFee may be absent of an order with load',
    'portal.orderCards.required-members',
    {
      rules: letThrough(
        ({ operation, kind, name, request }) =>
          operation === ORDER &&
          kind === 'missing-member' &&
          name === 'shippingFee' &&
          Boolean(bodyIn(request).totalValue),
      ),
    },
    thorough,
  ),
];

// ---- nothing at the same time on one thing --------------------------------------------------------------------------

/** Longer than a busy machine takes from one request to the next that was sent with it. */
const AT_ONCE_MS = 60;

/** Requests of an operation that come while another of the same key is answered get what `change` makes of them. */
function atOnce(
  operation: string,
  keyOf: (request: SandboxRequest) => string | undefined,
  change: (request: SandboxRequest) => void,
): SandboxOptions {
  const lastIn = memory(() => new Map<string, number>());
  return {
    rules: {
      meanwhile: (world, request) => {
        const key = request.operation === operation ? keyOf(request) : undefined;
        if (key === undefined) return;
        const last = lastIn(world).get(key);
        lastIn(world).set(key, performance.now());
        if (last !== undefined && performance.now() < last + AT_ONCE_MS) change(request);
      },
    },
    middleware: [
      (answer, { operation: called }) =>
        called === operation ? { ...answer, transport: { delayMs: AT_ONCE_MS + 2 } } : undefined,
    ],
  };
}

/** Of requests at the same moment one gets the answer of the other. */
function swapped(operation: string, isOther: (one: SandboxRequest, other: SandboxRequest) => boolean): SandboxOptions {
  const lastIn = memory(() => ({
    at: 0,
    request: undefined as SandboxRequest | undefined,
    body: undefined as unknown,
  }));
  const filter: AnswerFilter = (answer, { operation: called, world, request }) => {
    if (called !== operation) return undefined;
    const last = lastIn(world);
    const isAtOnce = last.request && performance.now() < last.at + AT_ONCE_MS && isOther(last.request, request);
    const transport = { delayMs: AT_ONCE_MS + 2 };
    if (isAtOnce && answer.status === 200) return { ...answer, body: last.body, transport };
    if (answer.status === 200) Object.assign(last, { at: performance.now(), request, body: answer.body });
    return { ...answer, transport };
  };
  return { middleware: [filter] };
}

const renamed = (member: 'externalIdentifier' | 'otherInfo', ofCards: boolean) => (request: SandboxRequest) => {
  const order = bodyIn(request);
  const other = (body: Body) =>
    body[member] === undefined ? body : { ...body, [member]: `${body[member]}-${request.callNumber}` };
  request.body = ofCards ? { ...order, orderDetails: cardsIn(order).map(other) } : other(order);
};

const identifierIn = (request: SandboxRequest) => {
  const { custProgId, externalIdentifier } = bodyIn(request);
  return externalIdentifier === undefined ? undefined : `${custProgId} ${externalIdentifier}`;
};

const nothingAtTheSameTime: readonly Fault[] = [
  fault(
    'of two identical orders at the same moment both are made',
    'portal.orderCards.duplicate-order',
    atOnce(ORDER, identifierIn, renamed('externalIdentifier', false)),
  ),
  fault(
    'of two orders with the same otherInfo at the same moment both are made',
    'portal.orderCards.other-info-repeated-over-orders',
    atOnce(
      ORDER,
      (request) => cardsIn(bodyIn(request))[0]?.otherInfo as string | undefined,
      renamed('otherInfo', true),
    ),
  ),
  fault(
    'of two loads with the same externalIdentifier at the same moment both are made',
    'portal.orderCards.duplicate-load',
    atOnce(
      ORDER,
      (request) => cardsIn(bodyIn(request))[0]?.externalIdentifier as string | undefined,
      renamed('externalIdentifier', true),
    ),
  ),
  fault(
    'users who log in at the same moment share a session',
    'portal.login.sessions-differ',
    swapped('portal.login', (one, other) => one.query.loginID !== other.query.loginID),
  ),
  fault(
    'of two hierarchies at the same moment one is the other',
    'portal.getCustomerHierarchy.members',
    swapped(HIERARCHY, (one, other) => one.query.customerId !== other.query.customerId),
  ),
  fault(
    'of two program lists at the same moment one is the other',
    'portal.getCustomerProgramList.of-customer',
    swapped(PROGRAM_LIST, (one, other) => one.query.customerId !== other.query.customerId),
  ),
  fault(
    'of two CIP checks at the same moment one is the other',
    ['portal.getCIPCheck.outcome-fail'],
    swapped(CIP, (one, other) => bodyIn(one).firstName === 'Paula' && bodyIn(other).firstName === 'Felix'),
  ),
];

// ---- effects of refusals ----------------------------------------------------------------------------------------

const refusedYetMade = (isMeant: (refusal: Refusal) => boolean): SandboxOptions => {
  // The refused order takes its identifier; the answer says that nothing was made.
  const usedIn = memory(() => new Set<string>());
  return {
    rules: {
      alsoRefuses: (request, world) =>
        request.operation === ORDER && usedIn(world).has(identifierIn(request) ?? '')
          ? { kind: 'duplicate', name: 'externalIdentifier' }
          : undefined,
    },
    middleware: [
      (_, { operation, request, refusal, world }) => {
        const identifier = identifierIn(request);
        if (operation === ORDER && refusal && isMeant(refusal) && identifier !== undefined)
          usedIn(world).add(identifier);
        return undefined;
      },
    ],
  };
};

const effectsOfRefusals: readonly Fault[] = [
  fault(
    'an order that lacks a member is refused and made',
    'portal.orderCards.corrected-order-accepted',
    refusedYetMade(({ kind }) => kind === 'missing-member'),
  ),
  fault(
    'a Digital order is refused and made where digital cards are off',
    'portal.orderCards.corrected-order-accepted',
    refusedYetMade(({ kind, name }) => kind === 'program-option' && name === 'digital'),
  ),
  fault(
    'an order of an unlisted type is refused and made',
    'portal.orderCards.corrected-order-accepted',
    refusedYetMade(({ kind }) => kind === 'list'),
  ),
  fault(
    'an order without session is refused and made',
    'portal.orderCards.corrected-order-accepted',
    refusedYetMade(({ kind }) => kind === 'session'),
  ),
  fault(
    'a logout without session is refused, and logs everybody out',
    'portal.logout.requires-session',
    (() => {
      let forgotten = false;
      return {
        rules: {
          meanwhile: (_, { operation, query }) => {
            if (operation === 'portal.logout' && !query.sessionId) forgotten = true;
            else if (operation === 'portal.login') forgotten = false;
            else if (forgotten && query.sessionId) query.sessionId = 'forgotten';
          },
        },
      } satisfies SandboxOptions;
    })(),
  ),
];

// ---- the first and the last of a list only ------------------------------------------------------------------------

const lacksInCard = (member: string, isMeant: (index: number, count: number) => boolean) =>
  letThrough(({ operation, name, request }) => {
    const cards = cardsIn(bodyIn(request));
    const lacking = cards.findIndex((card) => card[member] === undefined);
    return operation === ORDER && name === `orderDetails.${member}` && isMeant(lacking, cards.length);
  });

const firstAndLastOnly: readonly Fault[] = [
  fault('phone may be absent of the third card', 'portal.orderCards.required-item-members', {
    rules: lacksInCard('phone', (index) => index === 2),
  }),
  fault('ssn may be absent of a card in the middle', 'portal.orderCards.required-item-members', {
    rules: lacksInCard('ssn', (index, count) => index > 0 && index < count - 1),
  }),
  fault('lastName may be absent of the first of several cards', 'portal.orderCards.required-item-members', {
    rules: lacksInCard('lastName', (index, count) => index === 0 && count > 1),
  }),
  fault('the hierarchy of a customer without children shows its siblings', 'portal.getCustomerHierarchy.members', {
    rules: {
      showsCustomer: (operation, { parentId }, asked, byDefault) =>
        byDefault ||
        (operation === HIERARCHY &&
          asked !== undefined &&
          ![LOGIN_CUSTOMER, ...WITH_CHILDREN].includes(asked) &&
          parentId === LOGIN_CUSTOMER),
    },
  }),
  fault('a hierarchy of the third level lacks its parent', 'portal.getCustomerHierarchy.parent-within-reach', {
    rules: {
      showsCustomer: (operation, { customerId }, asked, byDefault) =>
        byDefault &&
        !(
          operation === HIERARCHY &&
          asked !== undefined &&
          asked >= 5016 &&
          asked % 8 >= 6 &&
          customerId === asked - 12
        ),
    },
  }),
  fault('a hierarchy of the second level lacks its parent', 'portal.getCustomerHierarchy.parent-within-reach', {
    rules: {
      showsCustomer: (operation, { customerId }, asked, byDefault) =>
        byDefault && !(operation === HIERARCHY && asked !== LOGIN_CUSTOMER && customerId === LOGIN_CUSTOMER),
    },
  }),
  fault('auto-created programs of customers below are always listed', 'portal.getCustomerProgramList.auto-created', {
    rules: {
      showsProgram: (program, { customerId }, byDefault) =>
        byDefault || (customerId !== LOGIN_CUSTOMER && program.customerId === customerId),
    },
  }),
  fault('programs of customers below list those of the login, too', 'portal.getCustomerProgramList.of-customer', {
    rules: {
      showsProgram: (program, { customerId }, byDefault) =>
        byDefault || (customerId !== LOGIN_CUSTOMER && program.customerId === LOGIN_CUSTOMER),
    },
  }),
  misanswered('portal: options of a second question are one text', 'portal.getCIPCheck.shape', CIP, (body) => {
    const { questionList } = body.data as { questionList: Body[] | null };
    if (questionList?.[1]) questionList[1].Options = 'Kent';
  }),
];

// ---- a memory of one step -----------------------------------------------------------------------------------------

/** Members are looked at before identifiers. */
const isWhole = (request: SandboxRequest) => bodyIn(request).city !== undefined;

/** What a target remembers of the orders that it made. */
function remembers(
  isKnown: (identifier: string, made: readonly string[], request: SandboxRequest) => boolean,
  of: (request: SandboxRequest) => string = (request) => identifierIn(request) ?? '',
): SandboxOptions {
  const madeIn = memory((): string[] => []);
  return {
    rules: {
      duplicateOrders: 'accept',
      alsoRefuses: (request, world) =>
        request.operation === ORDER &&
        identifierIn(request) &&
        isWhole(request) &&
        isKnown(of(request), madeIn(world), request)
          ? { kind: 'duplicate', name: 'externalIdentifier' }
          : undefined,
    },
    middleware: [
      (answer, { operation, request, world, refusal }) => {
        if (operation !== ORDER || !identifierIn(request)) return undefined;
        const what = answer.status === 200 ? '' : refusal?.kind === 'duplicate' ? 'duplicate ' : 'refused ';
        madeIn(world).push(what + of(request));
        return undefined;
      },
    ],
  };
}

const wasMade = (identifier: string, made: readonly string[]) => made.includes(identifier);

const aMemoryOfOneStep: readonly Fault[] = [
  fault(
    'a duplicate is made at the third time',
    'portal.orderCards.duplicate-order',
    remembers((identifier, made) => wasMade(identifier, made) && !made.includes(`duplicate ${identifier}`)),
  ),
  fault(
    'only the latest externalIdentifier of a program is known',
    'portal.orderCards.duplicate-order',
    remembers((identifier, made) => {
      const program = identifier.split(' ')[0]!;
      return made.findLast((one) => one.startsWith(`${program} `)) === identifier;
    }),
  ),
  fault(
    'an externalIdentifier is known in its session alone',
    'portal.orderCards.duplicate-order',
    remembers(wasMade, (request) => `${identifierIn(request)} ${request.query.sessionId}`),
  ),
  fault(
    'an externalIdentifier is known among orders of the same cardType alone',
    'portal.orderCards.duplicate-order',
    remembers(wasMade, (request) => `${identifierIn(request)} ${bodyIn(request).cardType || 'Physical'}`),
  ),
  fault(
    'an externalIdentifier is not looked at of instant issue orders',
    'portal.orderCards.duplicate-order',
    remembers((identifier, made, request) => wasMade(identifier, made) && !bodyIn(request).isInstantIssue),
  ),
  fault(
    'an externalIdentifier is known among orders of as many cards alone',
    'portal.orderCards.duplicate-order',
    remembers(wasMade, (request) => `${identifierIn(request)} ${cardsIn(bodyIn(request)).length}`),
  ),
  fault(
    'an externalIdentifier is known among orders for the same person alone',
    'portal.orderCards.duplicate-order',
    remembers(wasMade, (request) => `${identifierIn(request)} ${cardsIn(bodyIn(request))[0]?.lastName}`),
  ),
  fault(
    'an externalIdentifier is known among orders to the same address alone',
    'portal.orderCards.duplicate-order',
    remembers(wasMade, (request) => `${identifierIn(request)} ${bodyIn(request).address1}`),
  ),
  fault(
    'an externalIdentifier is known among orders of the same type alone',
    'portal.orderCards.duplicate-order',
    remembers(wasMade, (request) => `${identifierIn(request)} ${bodyIn(request).orderProdType}`),
  ),
  fault(
    'an externalIdentifier is not looked at of orders of a campaign',
    'portal.orderCards.duplicate-order',
    remembers((identifier, made, request) => wasMade(identifier, made) && !bodyIn(request).campaignName),
  ),
  fault(
    'a duplicate is made at the fourth time',
    'portal.orderCards.duplicate-order',
    remembers(
      (identifier, made) =>
        wasMade(identifier, made) && made.filter((one) => one === `duplicate ${identifier}`).length < 2,
    ),
  ),
  ...(
    [
      ['with an apostrophe', /'/],
      ['of more than 64 characters', /^.{65,}$/s],
      ['of one character', /^.$/],
    ] as const
  ).map(([what, form]) =>
    fault(
      `an externalIdentifier ${what} is never known`,
      'portal.orderCards.duplicate-order',
      remembers(
        (identifier, made, request) =>
          wasMade(identifier, made) && !form.test(String(bodyIn(request).externalIdentifier)),
      ),
    ),
  ),
  fault('an otherInfo with a percent sign is never known', 'portal.orderCards.other-info-repeated-over-orders', {
    rules: letThrough(
      ({ kind, name, request }) =>
        kind === 'duplicate' &&
        name === 'otherInfo-over-orders' &&
        cardsIn(bodyIn(request)).some(({ otherInfo }) => String(otherInfo).includes('%')),
    ),
  }),
  fault(
    'an otherInfo is known in its session alone',
    'portal.orderCards.other-info-repeated-over-orders',
    (() => {
      const madeIn = memory(() => new Set<string>());
      let made = new Set<string>();
      const ofSession = (request: SandboxRequest) =>
        cardsIn(bodyIn(request)).map(({ otherInfo }) => `${otherInfo} ${request.query.sessionId}`);
      return {
        rules: {
          meanwhile: (world) => {
            made = madeIn(world);
          },
          enforces: ({ kind, name, request }) =>
            !(
              kind === 'duplicate' &&
              name === 'otherInfo-over-orders' &&
              ofSession(request).every((one) => !made.has(one))
            ),
        },
        middleware: [
          (answer, { operation, request, world }) => {
            if (operation === ORDER && answer.status === 200)
              for (const one of ofSession(request)) madeIn(world).add(one);
            return undefined;
          },
        ],
      } satisfies SandboxOptions;
    })(),
  ),
  fault(
    'an externalIdentifier is known of the orders of its user alone',
    'portal.orderCards.duplicate-order',
    (() => {
      const usersIn = memory(() => new Map<string, unknown>());
      const options = remembers(
        wasMade,
        (request) => `${identifierIn(request)} ${users?.get(request.query.sessionId ?? '')}`,
      );
      let users: Map<string, unknown> | undefined;
      return {
        rules: {
          ...options.rules,
          meanwhile: (world: World) => {
            users = usersIn(world);
          },
        },
        middleware: [
          ...(options.middleware ?? []),
          (answer, { operation, world }) => {
            const { userId, sessionId } = (answer.body ?? {}) as Body;
            if (operation === 'portal.login') usersIn(world).set(String(sessionId), userId);
            return undefined;
          },
        ],
      } satisfies SandboxOptions;
    })(),
  ),
  fault(
    'an externalIdentifier is not looked at of orders whose cards have a birth date',
    'portal.orderCards.duplicate-order',
    remembers(
      (identifier, made, request) =>
        wasMade(identifier, made) && !cardsIn(bodyIn(request)).some(({ dateOfBirth }) => dateOfBirth),
    ),
  ),
  fault(
    'otherInfo is not looked at of orders with an externalIdentifier',
    'portal.orderCards.other-info-repeated-over-orders',
    {
      rules: letThrough(
        ({ kind, name, request }) =>
          kind === 'duplicate' && name === 'otherInfo-over-orders' && Boolean(bodyIn(request).externalIdentifier),
      ),
    },
  ),
  fault('the otherInfo of a third card may be absent', 'portal.orderCards.other-info-required', {
    rules: letThrough(
      ({ name, request }) =>
        name === 'orderDetails.otherInfo' && cardsIn(bodyIn(request)).findIndex(({ otherInfo }) => !otherInfo) === 2,
    ),
  }),
  fault('large loads are taken where load is off', 'portal.orderCards.load-off', {
    rules: letThrough(
      ({ operation, kind, name, request }) =>
        operation === ORDER && kind === 'program-option' && name === 'load' && Number(bodyIn(request).totalValue) > 100,
    ),
  }),
  fault('Digital cards with a shippingMethod are taken where they are off', 'portal.orderCards.digital-off', {
    rules: letThrough(
      ({ operation, kind, name, request }) =>
        operation === ORDER &&
        kind === 'program-option' &&
        name === 'digital' &&
        Boolean(bodyIn(request).shippingMethod),
    ),
  }),
  fault('an order with load is taken the second time where load is off', 'portal.orderCards.load-off', {
    rules: secondTime(
      ({ operation, kind, name }) => operation === ORDER && kind === 'program-option' && name === 'load',
    ),
  }),
  fault('a person without a first name is taken the second time', 'portal.getCIPCheck.required-members', {
    rules: secondTime(
      ({ operation, kind, name, request }) =>
        operation === CIP &&
        kind === 'missing-member' &&
        name === 'firstName' &&
        bodyIn(request).lastName !== undefined,
    ),
  }),
  fault('the second logout of an ended session is answered with 200', 'portal.logout.requires-session', {
    rules: (() => {
      const timesIn = memory(() => new Map<string, number>());
      let times = new Map<string, number>();
      return {
        meanwhile: (world: World) => {
          times = timesIn(world);
        },
        enforces: ({ operation, kind, name, request }: Refusal) => {
          if (operation !== 'portal.logout' || kind !== 'session' || name !== 'ended') return true;
          const { sessionId = '' } = request.query;
          times.set(sessionId, (times.get(sessionId) ?? 0) + 1);
          return times.get(sessionId)! < 2;
        },
      };
    })(),
  }),
  fault('two Digital cards may be ordered where one may not', 'portal.orderCards.digital-off', {
    rules: letThrough(
      ({ kind, name, request }) =>
        kind === 'program-option' && name === 'digital' && cardsIn(bodyIn(request)).length > 1,
    ),
  }),
  fault(
    'an externalIdentifier with a percent sign is never known',
    'portal.orderCards.duplicate-order',
    remembers((identifier, made) => wasMade(identifier, made) && !identifier.includes('%')),
  ),
  fault(
    'a refused order makes an externalIdentifier free again',
    'portal.orderCards.duplicate-order',
    remembers((identifier, made) => {
      const last = made.findLast((one) => one === identifier || one === `refused ${identifier}`);
      return last === identifier;
    }),
  ),
  fault(
    'only the otherInfo of the latest order is known',
    'portal.orderCards.other-info-repeated-over-orders',
    (() => {
      const latestIn = memory(() => ({ otherInfo: [] as unknown[] }));
      let latest: unknown[] = [];
      return {
        rules: {
          meanwhile: (world) => {
            latest = latestIn(world).otherInfo;
          },
          enforces: ({ kind, name, request }) =>
            !(
              kind === 'duplicate' &&
              name === 'otherInfo-over-orders' &&
              cardsIn(bodyIn(request)).every(({ otherInfo }) => !latest.includes(otherInfo))
            ),
        },
        middleware: [
          (answer, { operation, request, world }) => {
            const otherInfo = cardsIn(bodyIn(request)).map((card) => card.otherInfo);
            if (operation === ORDER && answer.status === 200 && otherInfo[0] !== undefined)
              latestIn(world).otherInfo = otherInfo;
            return undefined;
          },
        ],
      } satisfies SandboxOptions;
    })(),
  ),
  fault(
    'the otherInfo of the second card is not remembered',
    'portal.orderCards.other-info-repeated-over-orders',
    (() => {
      const secondsIn = memory(() => new Set<unknown>());
      let seconds = new Set<unknown>();
      return {
        rules: {
          meanwhile: (world) => {
            seconds = secondsIn(world);
          },
          enforces: ({ kind, name, request }) =>
            !(
              kind === 'duplicate' &&
              name === 'otherInfo-over-orders' &&
              cardsIn(bodyIn(request)).some(({ otherInfo }) => seconds.has(otherInfo))
            ),
        },
        middleware: [
          (answer, { operation, request, world }) => {
            if (operation === ORDER && answer.status === 200)
              for (const { otherInfo } of cardsIn(bodyIn(request)).slice(1)) secondsIn(world).add(otherInfo);
            return undefined;
          },
        ],
      } satisfies SandboxOptions;
    })(),
  ),
  fault('the load of the second card is not looked at', 'portal.orderCards.duplicate-load', {
    rules: {
      meanwhile: (_, request) => {
        if (request.operation !== ORDER || cardsIn(bodyIn(request)).length < 2) return;
        request.body = {
          ...bodyIn(request),
          orderDetails: cardsIn(bodyIn(request)).map((card, index) =>
            index === 0
              ? card
              : { ...card, externalIdentifier: `${card.externalIdentifier}-${request.callNumber}-${index}` },
          ),
        };
      },
    },
  }),
  fault('a load is repeated in one order', 'portal.orderCards.duplicate-load', {
    rules: {
      meanwhile: (_, request) => {
        const cards = request.operation === ORDER ? cardsIn(bodyIn(request)) : [];
        const identifiers = cards.map(({ externalIdentifier }) => externalIdentifier);
        if (cards.length < 2 || new Set(identifiers).size === cards.length) return;
        request.body = {
          ...bodyIn(request),
          orderDetails: cards.map((card, index) => ({
            ...card,
            externalIdentifier: `${card.externalIdentifier}-${index}`,
          })),
        };
      },
    },
  }),
];

// ---- values left to chance ------------------------------------------------------------------------------------------

/** Some requests of an operation are answered with status 500. */
const breaksAt = (
  name: string,
  operation: typeof CIP | typeof ORDER,
  isMeant: (body: Body, cards: Body[]) => boolean,
) =>
  fault(
    name,
    operation === CIP
      ? ['portal.getCIPCheck.status', 'portal.getCIPCheck.unusual-values']
      : ['portal.orderCards.status', 'portal.orderCards.unusual-values'],
    {
      middleware: [
        (answer, { operation: called, request }) =>
          called === operation && answer.status === 200 && isMeant(bodyIn(request), cardsIn(bodyIn(request)))
            ? { ...answer, status: 500, body: {} }
            : undefined,
      ],
    },
  );

const valuesLeftToChance: readonly Fault[] = [
  breaksAt(
    'a birth on the 29th of February is answered with 500',
    CIP,
    ({ dobDay, dobMonth }) => dobDay === 29 && dobMonth === 2,
  ),
  breaksAt('a birth on the 31st is answered with 500', CIP, ({ dobDay }) => dobDay === 31),
  breaksAt('a birth in December is answered with 500', CIP, ({ dobMonth }) => dobMonth === 12),
  breaksAt('an apostrophe in a name is answered with 500', CIP, ({ lastName }) => String(lastName).includes("'")),
  breaksAt('an apostrophe in a city is answered with 500', CIP, ({ city }) => String(city).includes("'")),
  breaksAt('a hyphen in a name is answered with 500', CIP, ({ lastName }) => String(lastName).includes('-')),
  breaksAt('a letter beyond ASCII in a name is answered with 500', CIP, ({ lastName }) =>
    /[^ -~]/.test(String(lastName)),
  ),
  breaksAt('an apostrophe in the name of a holder is answered with 500', ORDER, (_, cards) =>
    cards.some(({ lastName }) => String(lastName).includes("'")),
  ),
  breaksAt('a comment of 300 characters is answered with 500', ORDER, (_, cards) =>
    cards.some(({ comment }) => String(comment ?? '').length > 255),
  ),
  fault('an apostrophe in an externalIdentifier is answered with 500', 'portal.orderCards.status', {
    middleware: [
      (answer, { operation, request }) =>
        operation === ORDER && answer.status === 200 && String(bodyIn(request).externalIdentifier).includes("'")
          ? { ...answer, status: 500, body: {} }
          : undefined,
    ],
  }),
  fault('a letter beyond ASCII in an otherInfo is answered with 500', 'portal.orderCards.status', {
    middleware: [
      (answer, { operation, request }) =>
        operation === ORDER &&
        answer.status === 200 &&
        cardsIn(bodyIn(request)).some(({ otherInfo }) => /[^ -~]/.test(String(otherInfo)))
          ? { ...answer, status: 500, body: {} }
          : undefined,
    ],
  }),
  breaksAt('a letter beyond ASCII in an order is answered with 500', ORDER, (order, cards) =>
    [order, ...cards].flatMap(Object.values).some((value) => typeof value === 'string' && /[^ -~]/.test(value)),
  ),
  breaksAt('a percent sign in an order is answered with 500', ORDER, (order, cards) =>
    [order, ...cards].flatMap(Object.values).some((value) => typeof value === 'string' && value.includes('%')),
  ),
  fault(
    'a month of birth of one digit is refused',
    'portal.getCIPCheck.one-digit-accepted',
    {
      rules: { cipLeastDigits: (name, byDefault) => (name === 'dobMonth' ? 2 : byDefault) },
    },
    {
      configure: ({ fixtures }) => {
        // no person of the fixtures file is born in a month of one digit
        fixtures.portal = { ...fixtures.portal, cip: undefined };
      },
    },
  ),
  fault('a day of birth of one digit is refused', 'portal.getCIPCheck.one-digit-accepted', {
    rules: { cipLeastDigits: (name, byDefault) => (name === 'dobDay' ? 2 : byDefault) },
  }),
  fault('addresses of two-byte letters may have 41 characters', 'portal.getCIPCheck.address-41-refused', {
    rules: {
      cipAddressLength: (address) => (/^[^ -~]+$/.test(address) ? Math.min(address.length, 40) : address.length),
    },
  }),
  fault('a customerId of zero lists all programs', 'portal.getCustomerProgramList.unknown-customer', {
    rules: letThrough(
      ({ operation, kind, request }) =>
        operation === PROGRAM_LIST && kind === 'unknown-reference' && request.query.customerId === '0',
    ),
  }),
  fault(
    'a customerId that is not known has no programs that are not branded',
    'portal.getCustomerProgramList.unknown-customer',
    {
      rules: letThrough(
        ({ operation, kind, request }) =>
          operation === PROGRAM_LIST && kind === 'unknown-reference' && request.query.showBranded === 'false',
      ),
    },
  ),
  fault(
    'a customerId of zero is that of the login in a hierarchy',
    'portal.getCustomerHierarchy.members',
    {
      rules: {
        meanwhile: (_, { operation, query }) => {
          if (operation === HIERARCHY && query.customerId === '0') query.customerId = String(LOGIN_CUSTOMER);
        },
      },
    },
    thorough,
  ),
  fault(
    'a negative customerId lists the programs of the positive one',
    'portal.getCustomerProgramList.unknown-customer',
    {
      rules: {
        meanwhile: (_, { operation, query }) => {
          if (operation === PROGRAM_LIST && /^-\d+$/.test(query.customerId ?? ''))
            query.customerId = query.customerId!.slice(1);
        },
      },
    },
  ),
];

// ---- a refused valid request ------------------------------------------------------------------------------------------

const everySecond = (operation: string): SandboxOptions => ({
  rules: {
    alsoRefuses: ({ operation: called, callNumber }) =>
      called === operation && callNumber % 2 === 0 ? { kind: 'range', name: 'mood' } : undefined,
  },
});

const refusedValidRequests: readonly Fault[] = [
  fault(
    'every second program list is refused',
    'portal.getCustomerProgramList.required-only',
    everySecond(PROGRAM_LIST),
  ),
  fault('every second hierarchy is refused', 'portal.getCustomerHierarchy.required-only', everySecond(HIERARCHY), {
    // in sequences of logins and logouts a hierarchy is asked for
    configure: ({ run }) => {
      run.seed = 1;
    },
    also: ['portal.login.begins-session'],
  }),
];

// ---- statements without a requirement -----------------------------------------------------------------------------------

const withoutRequirement: readonly Fault[] = [
  misanswered('portal: login gives the loginId of another user', 'portal.login.login-id', 'portal.login', (body) => {
    body.loginId = 'somebody.else@partner.invalid';
  }),
  fault('amounts without totalValue are taken where load is off', 'portal.orderCards.load-off', {
    rules: letThrough(
      ({ operation, kind, name, request }) =>
        operation === ORDER &&
        bodyIn(request).totalValue === undefined &&
        ((kind === 'program-option' && name === 'load') ||
          (kind === 'missing-member' && /totalValue|externalId/.test(name))),
    ),
  }),
  fault('an order with load is taken without externalIdentifier where load is off', 'portal.orderCards.load-off', {
    rules: letThrough(
      ({ operation, kind, name, request }) =>
        operation === ORDER &&
        bodyIn(request).externalIdentifier === undefined &&
        ((kind === 'program-option' && name === 'load') || (kind === 'missing-member' && /externalId/.test(name))),
    ),
  }),
  fault(
    'an order without cardType is refused, and no order of the fixtures has one',
    'portal.orderCards.card-type-optional',
    {
      rules: {
        alsoRefuses: (request) =>
          request.operation === ORDER && bodyIn(request).cardType === undefined
            ? { kind: 'missing-member', name: 'cardType' }
            : undefined,
      },
    },
    {
      configure: ({ fixtures }) => {
        const { personalized } = fixtures.portal!.programs!;
        fixtures.portal!.programs = { personalized: personalized! };
      },
    },
  ),
  fault('an order for a customer of another partner is taken', 'portal.orderCards.foreign-customer', {
    rules: letThrough(
      ({ operation, kind, name }) =>
        operation === ORDER && (kind === 'foreign' || (kind === 'mismatch' && name === 'custProgId')),
    ),
  }),
  fault('returnCode is 0 though a person is located', 'portal.getCIPCheck.return-code-zero', {
    rules: { cipReturnCode: (outcome) => (outcome === 'pass' ? 0 : 1) },
  }),
  ...(
    ['portal.getCustomerList', 'portal.getCIPCheck', 'portal.orderCards', 'portal.login', 'portal.logout'] as const
  ).map((id) =>
    fault(`a refusal of ${id} is HTML`, `${id}.error-shape`, {
      middleware: [
        (answer, { operation }) =>
          operation === id && [400, 401].includes(answer.status)
            ? { ...answer, headers: { 'content-type': 'text/html' }, body: Buffer.from('<h1>Bad request</h1>') }
            : undefined,
      ],
    }),
  ),
  fault('a 401 of getCIPCheck is a list', 'portal.getCIPCheck.error-shape', {
    middleware: [
      (answer, { operation }) =>
        operation === CIP && answer.status === 401 ? { ...answer, body: [answer.body] } : undefined,
    ],
  }),
];

/** By blind spot, in the order of the catalogue of blind spots. */
const portalBlindSpots = {
  'one form of bad input': oneFormOfBadInput,
  'one form of a good request': oneFormOfAGoodRequest,
  'nothing at the same time on one thing': nothingAtTheSameTime,
  'effects of refusals': effectsOfRefusals,
  'the first and the last of a list only': firstAndLastOnly,
  'a memory of one step': aMemoryOfOneStep,
  'values left to chance': valuesLeftToChance,
  'a refused valid request': refusedValidRequests,
  'a statement without a requirement': withoutRequirement,
} satisfies Record<string, readonly Fault[]>;

export const portalBlindSpotFaults: readonly Fault[] = Object.values(portalBlindSpots).flat();
