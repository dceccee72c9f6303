import type { Fault } from '../core/changes.ts';
import { after, around, before, bodyOf, faultsOf, members } from '../core/changes.ts';
import type { Answer, Call, Fields, Order, World } from '../core/model.ts';
import { Refusal } from '../core/model.ts';

const fault = faultsOf('ordinary');

/** Whoever asks is the first client: nobody looks at the token. */
function unguarded(world: World, operation: string, when: (call: Call) => boolean = () => true): void {
  before(world, operation, async (call, next) => {
    const answer = await next();
    if (answer.status !== 401 || !when(call)) return answer;
    const claims = world.rules.newClaims(world.clients[0]!);
    call.headers = { ...call.headers, authorization: `Bearer ${world.rules.writeToken(claims)}` };
    return next();
  });
}

const answers = (world: World, operation: string, patch: (answer: Answer) => Answer) =>
  after(world, operation, (_call, answer) => patch(answer));

const guards: Fault[] = [
  fault('relatives-without-a-token', 'cards.listRelated', 17, 'The relatives of a card are shown to anybody', (world) =>
    unguarded(world, 'cards.listRelated'),
  ),
  fault('holders-without-a-token', 'cardholders.list', 17, 'Cardholders are listed to anybody', (world) =>
    unguarded(world, 'cardholders.list'),
  ),
  fault('by-token-without-a-token', 'cards.get', 17, 'Whoever has a temporary token needs no access token', (world) =>
    unguarded(world, 'cards.get', ({ query }) => query.get('byToken') === 'true'),
  ),
  fault(
    'later-pages-without-a-token',
    'users.list',
    17,
    'A continuation token is enough to see a later page',
    (world) => unguarded(world, 'users.list', ({ query }) => query.has('token')),
  ),
  fault(
    'expired-token-for-balances',
    'cards.getBalance',
    17,
    'Balances are told for a token that has expired',
    (world) => {
      const { alive } = world.rules;
      let balance = false;
      before(world, /^(cards|users|cardholders)\./, (call, next) => {
        balance = call.operation === 'cards.getBalance';
        return next();
      });
      world.rules.alive = (claims) => balance || alive(claims);
    },
  ),
  fault(
    'foreign-cards-by-customer',
    'cards.list',
    13,
    'customerIdentifier lists the cards of any customer',
    (world) => {
      const { cardsOf } = world.rules;
      let asked: string | null = null;
      around(world, 'cards.list', (call, next) => {
        asked = call.query.get('customerIdentifier');
        return next();
      });
      world.rules.cardsOf = (client) => (asked ? world.cards : cardsOf(client));
    },
  ),
  fault('foreign-cards-have-a-status', 'cards.getStatus', 13, 'The status of a card out of reach is told', (world) => {
    const { cardOf } = world.rules;
    around(world, 'cards.getStatus', async (_call, next) => {
      world.rules.cardOf = (_client, identifier) => world.cards.find((card) => card.identifier === identifier);
      const answer = await next();
      world.rules.cardOf = cardOf;
      return answer;
    });
  }),
];

const tokens: Fault[] = [
  fault('token-of-fifty-minutes', 'token.issue', 15, 'A token works for fifty minutes, whatever it says', (world) => {
    const { alive } = world.rules;
    world.rules.alive = (claims) => alive(claims) && world.now() / 1000 < claims.from + 3000;
  }),
  fault(
    'token-of-seventy-minutes',
    'token.issue',
    15,
    'A token works ten minutes longer, for clocks that differ',
    (world) => {
      world.rules.alive = (claims) => world.now() / 1000 < claims.until + 600;
    },
  ),
  fault(
    'token-times-of-a-time-zone',
    'token.issue',
    14,
    'expires_on and not_before are of local time, two hours ahead',
    (world) => {
      const { tokenAnswer } = world.rules;
      world.rules.tokenAnswer = (claims, text) => ({
        ...tokenAnswer(claims, text),
        not_before: claims.from + 7200,
        expires_on: claims.until + 7200,
      });
    },
  ),
];

const shapes: Fault[] = [
  fault(
    'suspend-says-ok',
    'cards.suspend',
    3,
    'suspend answers with an empty object where no body is promised',
    (world) => answers(world, 'cards.suspend', ({ status }) => ({ status, body: {} })),
  ),
  fault('encrypt-is-200', 'cards.encryptForVde', 2, 'encrypt-for-vde answers 200', (world) =>
    answers(world, 'cards.encryptForVde', (answer) => ({ ...answer, status: 200 })),
  ),
  fault('last-four-is-a-number', 'cards.list', 25, 'cardNumberLastFour loses its leading zeros', (world) => {
    const { listView } = world.rules;
    world.rules.listView = (card) => ({ ...listView(card), cardNumberLastFour: String(Number(card.lastFour)) });
  }),
  fault('birthday-of-the-holder-by-month', 'cards.get', 4, 'dateOfBirth of a cardholder is MM/DD/YYYY', (world) => {
    const { cardView } = world.rules;
    world.rules.cardView = (card) => {
      const [year, month, day] = String(card.holder.dateOfBirth).split('-');
      return { ...cardView(card), cardholder: { ...card.holder, dateOfBirth: `${month}/${day}/${year}` } };
    };
  }),
  fault('ein-without-its-zero', 'portal.getCustomerList', 37, 'An ein that begins with 0 has eight digits', (world) => {
    const { portalCustomerView } = world.rules;
    world.rules.portalCustomerView = (customer) => ({
      ...portalCustomerView(customer),
      ein: String(Number(customer.ein)),
    });
  }),
  fault(
    'questions-for-everybody',
    'portal.getCIPCheck',
    38,
    'questionList has its questions whatever the result is',
    (world) => {
      const { cipAnswer } = world.rules;
      const questionList = [{ question: 'Which year?', type: 'year', Options: ['2009', '2014'] }];
      world.rules.cipAnswer = (person, body) => {
        const answer = cipAnswer(person, body);
        return { ...answer, data: { ...(answer.data as Fields), questionList } };
      };
    },
  ),
];

const limits: Fault[] = [
  fault('customers-of-a-hundred', 'users.list', 18, 'max of users goes to a hundred', (world) => {
    around(world, 'users.list', async (call, next) => {
      const max = world.rules.integer(call.query.get('max') ?? '');
      if (max === undefined || max <= 50 || max > 100) return next();
      call.query.set('max', '50');
      const first = await next();
      const { results, continuationToken } = first.body as { results: unknown[]; continuationToken?: string };
      if (first.status !== 200 || !continuationToken) return first;
      call.query.set('max', String(max - 50));
      call.query.set('token', continuationToken);
      const more = await next();
      return members(more, { results: [...results, ...(more.body as { results: unknown[] }).results] });
    });
  }),
  fault('cards-default-of-a-hundred', 'cards.list', 22, 'The listing of cards has a hundred without max', (world) => {
    world.rules.defaultMax = 100;
  }),
  fault('no-children-means-everybody', 'users.list', 20, 'A parent without children lists everybody', (world) => {
    const { customerMatches } = world.rules;
    world.rules.customerMatches = (customer, { parentIdentifier, ...rest }) => {
      const parent = world.customers.some((other) => other.parent?.identifier === parentIdentifier);
      return customerMatches(customer, parent ? { parentIdentifier, ...rest } : rest);
    };
  }),
  fault(
    'unknown-order-means-all-cards',
    'cards.list',
    11,
    'An orderIdentifier that is not known is ignored',
    (world) => {
      const { cardMatches } = world.rules;
      world.rules.cardMatches = (card, { orderIdentifier, ...rest }) =>
        cardMatches(
          card,
          world.cards.some(({ order }) => order === orderIdentifier) ? { orderIdentifier, ...rest } : rest,
        );
    },
  ),
  fault('proxy-of-either-sort', 'cards.get', 24, 'byProxy without isDigital is answered', (world) =>
    around(world, 'cards.get', async (call, next) => {
      if (!call.query.get('byProxy') || call.query.get('isDigital')) return next();
      call.query.set('isDigital', 'false');
      return next();
    }),
  ),
  fault(
    'hierarchy-of-two-levels',
    'portal.getCustomerHierarchy',
    37,
    'A hierarchy shows children, and not their children',
    (world) => {
      const { hierarchy } = world.rules;
      world.rules.hierarchy = (call, customer) =>
        hierarchy(call, customer).filter(
          (one) => one === customer || one === customer.parent || one.parent === customer,
        );
    },
  ),
];

/** The switches of a program are overlooked for some orders. */
const overlooked = (world: World, when: (order: Order) => boolean) => {
  const { orderSwitches } = world.rules;
  world.rules.orderSwitches = (order) => (when(order) ? undefined : orderSwitches(order));
};

/** What a body has before it is checked is made fit. */
const amended = (world: World, operation: string, patch: (body: Fields) => Fields) =>
  around(world, operation, (call, next) => {
    if (call.body) call.body = { ...bodyOf(call), ...patch(bodyOf(call)) };
    return next();
  });

const desk: Fault[] = [
  fault('login-without-password-401', 'portal.login', 32, 'A login without password answers 401', (world) =>
    around(world, 'portal.login', (call, next) => {
      if (!call.query.get('password')) throw new Refusal(401, 'password', 'Required');
      return next();
    }),
  ),
  fault(
    'programs-of-a-bad-session-401',
    'portal.getCustomerProgramList',
    34,
    'A bad session lists no programs, with 401 where 400 is written',
    (world) =>
      before(world, 'portal.getCustomerProgramList', async (call, next) => {
        const answer = await next();
        return call.session ? answer : { ...answer, status: 401 };
      }),
  ),
  fault('not-entitled-403', 'portal.getCustomerHierarchy', 35, 'Who is not entitled gets 403', (world) =>
    before(world, 'portal.getCustomerHierarchy', async (call, next) => {
      const answer = await next();
      const { forbidden = [] } = call.user ?? {};
      return answer.status === 401 && forbidden.includes('getCustomerHierarchy') ? { ...answer, status: 403 } : answer;
    }),
  ),
  fault('cip-without-a-city', 'portal.getCIPCheck', 39, 'A check without city is made', (world) =>
    amended(world, 'portal.getCIPCheck', ({ city }) => ({ city: city ?? 'Dayton' })),
  ),
  fault('cip-zip-of-six-digits', 'portal.getCIPCheck', 39, 'A zip of six digits is taken', (world) =>
    amended(world, 'portal.getCIPCheck', ({ zip }) => ({ zip: Number(zip) > 99_999 ? 45402 : zip })),
  ),
  fault('cip-last-four-of-five', 'portal.getCIPCheck', 39, 'ssnLast4 of five digits is taken', (world) =>
    amended(world, 'portal.getCIPCheck', ({ ssnLast4 }) => ({ ssnLast4: Number(ssnLast4) > 9999 ? 4821 : ssnLast4 })),
  ),
  fault('order-of-any-card-type', 'portal.orderCards', 42, 'A cardType that is not known is Physical', (world) =>
    amended(world, 'portal.orderCards', ({ cardType }) =>
      cardType && cardType !== 'Digital' ? { cardType: 'Physical' } : {},
    ),
  ),
  fault('order-of-any-type', 'portal.orderCards', 42, 'An orderProdType that is not listed is the usual one', (world) =>
    amended(world, 'portal.orderCards', ({ orderProdType, custProgId }) => {
      const product = world.programs.find(({ id }) => id === custProgId)?.product;
      const usual = product === 'Payroll' ? 'Personalized Payroll Order' : 'Direct Order - CORP';
      const listed = /Payroll Order|Corporate Reward Order?$|Direct Order|Purchas/.test(String(orderProdType));
      return typeof orderProdType === 'string' && !listed ? { orderProdType: usual } : {};
    }),
  ),
  fault('digital-though-off', 'portal.orderCards', 44, 'A digital order is taken where they are off', (world) =>
    overlooked(world, ({ digital, program }) => digital && !program.digital),
  ),
  fault('load-though-off', 'portal.orderCards', 44, 'A load is taken where loading is off', (world) =>
    overlooked(world, ({ load, program }) => load && !program.load),
  ),
  fault(
    'digital-wants-shipping',
    'portal.orderCards',
    43,
    'A digital order without shippingMethod is refused',
    (world) =>
      world.rules.orderChecks.unshift(({ digital, body }) =>
        digital && !body.shippingMethod ? new Refusal(400, 'shippingMethod', 'Required') : undefined,
      ),
  ),
  fault('card-without-a-phone', 'portal.orderCards', 42, 'The second card of an order needs no phone', (world) =>
    amended(world, 'portal.orderCards', ({ orderDetails }) =>
      Array.isArray(orderDetails)
        ? { orderDetails: orderDetails.map((item, index) => (index > 0 ? { phone: '9375550100', ...item } : item)) }
        : {},
    ),
  ),
];

export const ordinary: Fault[] = [...guards, ...tokens, ...shapes, ...limits, ...desk];
