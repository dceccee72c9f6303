import type { Freedom } from '../core/changes.ts';
import { after, around, before, bodyOf, counter, freedom, meanwhile, members, sleep } from '../core/changes.ts';
import type { Action, Answer, Call, Card, Fields, World } from '../core/model.ts';
import { change, Refusal } from '../core/model.ts';

/** More than so many requests within a second, by whatever they are counted, are asked to wait. */
function paced(world: World, place: RegExp, count: number, key: (call: Call) => string): void {
  const times = new Map<string, number[]>();
  before(world, place, (call, next) => {
    const recent = (times.get(key(call)) ?? []).filter((at) => Date.now() - at < 1000);
    if (recent.length >= count) return { status: 429, headers: { 'retry-after': '1' } };
    times.set(key(call), [...recent, Date.now()]);
    return next();
  });
}

/** An action is not taken of some cards, or with some bodies. */
function unless(world: World, action: Action, operation: string, bars: (card: Card, body: Fields) => boolean): void {
  around(world, operation, (call, next) => {
    const card = world.rules.cardOf(call.client!, call.identifier);
    if (card && world.rules.allowed(card, action) && bars(card, bodyOf(call)))
      throw new Refusal(409, 'identifier', 'Not now, and not so', 'cardState');
    return next();
  });
}

/** A body is written by hand once it is JSON. */
function written(world: World, place: RegExp, write: (text: string) => string): void {
  before(world, place, async (_call, next) => {
    const answer = await next();
    if (answer.body === undefined || answer.raw !== undefined) return answer;
    return { ...answer, raw: write(JSON.stringify(answer.body)) };
  });
}

const orderRefused = (world: World, problem: (body: Fields, items: Fields[]) => string | undefined) =>
  around(world, 'portal.orderCards', (call, next) => {
    const body = bodyOf(call);
    const items = Array.isArray(body.orderDetails) ? (body.orderDetails as Fields[]) : [];
    const name = problem(body, items);
    if (name) throw new Refusal(400, name, 'Not so, by our rules');
    return next();
  });

const paces: Freedom[] = [
  freedom(
    'session-of-fifteen-a-second',
    'A session asks fifteen times a second; then 429 with Retry-After',
    [51],
    (world) => paced(world, /^portal\./, 15, (call) => call.query.get('sessionId') ?? ''),
  ),
  freedom(
    'card-of-twelve-a-second',
    'A card is asked twelve times a second; then 429 with Retry-After',
    [51],
    (world) => paced(world, /^cards\.(?!list$)/, 12, (call) => call.identifier),
  ),
  freedom('steps-of-three-a-second', 'Three cards a second are activated or enter wallets; then 429', [51], (world) =>
    paced(world, /^cards\.(activate|markWalletProvisioned)$/, 3, (call) => call.operation),
  ),
  freedom('programs-take-four-orders-a-second', 'A program takes four orders a second; then 429', [51], (world) =>
    paced(world, /^portal\.orderCards$/, 4, (call) => String(bodyOf(call).custProgId)),
  ),
  freedom(
    'checks-one-at-a-time',
    'While a person is checked another has to wait, 429 with Retry-After',
    [51],
    (world) => {
      let busy = false;
      around(world, 'portal.getCIPCheck', async (_call, next) => {
        if (busy) return { status: 429, headers: { 'retry-after': '1' } };
        busy = true;
        await sleep(80);
        return next().finally(() => {
          busy = false;
        });
      });
    },
  ),
  freedom(
    'person-rests-half-a-second',
    'A person is checked again after half a second; till then 429',
    [51],
    (world) => {
      const last = new Map<string, number>();
      around(world, 'portal.getCIPCheck', (call, next) => {
        const { firstName, lastName } = bodyOf(call);
        const key = `${firstName}|${lastName}`;
        if (Date.now() - (last.get(key) ?? 0) < 500) return { status: 429, headers: { 'retry-after': '1' } };
        last.set(key, Date.now());
        return next();
      });
    },
  ),
  freedom(
    'desk-closed-at-the-full-minute',
    'For the first second of each minute the desk is closed: 503 with Retry-After',
    [51, 9],
    (world) =>
      before(world, /^portal\./, (_call, next) =>
        new Date().getSeconds() === 0 ? { status: 503, headers: { 'retry-after': '2' } } : next(),
      ),
  ),
  freedom('wrong-logins-are-slow', 'A login that is refused takes 0.8 seconds', [51], (world) =>
    before(world, 'portal.login', async (_call, next) => {
      const answer = await next();
      if (answer.status >= 400) await sleep(800);
      return answer;
    }),
  ),
  freedom('listing-kept-for-a-quarter-second', 'A listing is kept for a quarter of a second', [10, 49], (world) => {
    const kept = new Map<string, { answer: Answer; at: number }>();
    around(world, 'cards.list', async (call, next) => {
      const key = `${call.client!.id}|${call.query}`;
      const found = kept.get(key);
      if (found && Date.now() - found.at < 250) return found.answer;
      const answer = await next();
      if (answer.status === 200) kept.set(key, { answer, at: Date.now() });
      return answer;
    });
  }),
];

const shapes: Freedom[] = [
  freedom('balances-say-more', 'A balance has a currency, a limit and a moment', [4], (world) =>
    after(world, 'cards.getBalance', (_call, answer) =>
      members(answer, { currency: 'USD', limits: [250, 1000], at: new Date(world.now()).toISOString() }),
    ),
  ),
  freedom('statuses-say-more', 'A status has a word and reasons', [4], (world) =>
    after(world, 'cards.getStatus', (_call, answer) => members(answer, { word: 'see our manual', reasons: [] })),
  ),
  freedom('temporary-tokens-say-more', 'A temporary token has an end, and an address of a picture', [4], (world) =>
    after(world, 'cards.createToken', (_call, answer) =>
      members(answer, { lives: 600, picture: 'https://c.example/p.png' }),
    ),
  ),
  freedom('status-numbers-of-another-kind', 'Active is 0, and what is less is not', [26], (world) =>
    after(world, 'cards.getStatus', (_call, answer) => {
      const { status } = answer.body as { status: number };
      return members(answer, { status: status === 2 ? 0 : -status });
    }),
  ),
  freedom('money-with-two-decimals', 'Money is written with two decimals: 250.00', [4], (world) =>
    written(world, /^cards\./, (text) =>
      text.replace(/"(balance|amount)":(-?\d+(?:\.\d+)?)(?=[,}])/g, (_all, name, value) => {
        return `"${name}":${Number(value).toFixed(2)}`;
      }),
    ),
  ),
  freedom('json-between-blank-lines', 'A template leaves blank lines before and behind', [3], (world) =>
    written(world, /^(users|cards|portal)\./, (text) => `\n\n${text}\n`),
  ),
  freedom('token-times-with-fractions', 'not_before and expires_on have three decimals', [14], (world) => {
    const { tokenAnswer } = world.rules;
    world.rules.tokenAnswer = (claims, text) => ({
      ...tokenAnswer(claims, text),
      not_before: claims.from + 0.25,
      expires_on: claims.until + 0.25,
    });
  }),
  freedom('session-of-four-hundred-characters', 'A session id carries its rights: 400 characters', [4], (world) => {
    const { openSession } = world.rules;
    world.rules.openSession = (user) => {
      const session = openSession(user);
      session.id = `${session.id}.${session.id.slice(1, 20).repeat(19)}`;
      return session;
    };
  }),
  freedom('checks-without-messages', 'A check has an empty Error, and no messages', [5, 38], (world) =>
    after(world, 'portal.getCIPCheck', (_call, answer) => {
      const { detailedMessages, ...data } = (answer.body as { data: Fields }).data;
      return members(answer, { data: { ...data, Error: '' } });
    }),
  ),
  freedom('checks-ask-three-questions', 'Each list has three questions, with an order and a hint', [4, 38], (world) => {
    const thrice = (list: unknown) =>
      Array.isArray(list) ? [1, 2, 3].flatMap((order) => list.map((one) => ({ ...one, order, hint: null }))) : list;
    after(world, 'portal.getCIPCheck', (_call, answer) => {
      const { data } = answer.body as { data: Fields };
      const { diffQuestionList, questionList } = data;
      return members(answer, {
        data: { ...data, diffQuestionList: thrice(diffQuestionList), questionList: thrice(questionList) },
      });
    });
  }),
  freedom(
    'stock-answers-with-a-reference',
    'An order of stock answers with a reference of the store',
    [45],
    (world) => {
      const { orderAnswer } = world.rules;
      world.rules.orderAnswer = (order) => (order.instant ? { reference: `ST-${order.id}` } : orderAnswer(order));
    },
  ),
  freedom('one-card-answers-with-its-proxy', 'An order of one card answers with its proxy alone', [44, 45], (world) => {
    const { orderAnswer } = world.rules;
    world.rules.orderAnswer = (order) =>
      order.instant || order.several ? orderAnswer(order) : { instantProxy: order.proxies[0] };
  }),
  freedom('fee-types-are-none', 'Shipping fees are by arrangement: an empty object', [45], (world) =>
    after(world, 'portal.getShippingFeeTypes', (_call, answer) => ({ ...answer, body: {} })),
  ),
];

const choices: Freedom[] = [
  freedom('users-path-in-any-case', 'Identifiers of customers are read in any case of letters', [11], (world) => {
    const { customerOf } = world.rules;
    world.rules.customerOf = (client, identifier) => customerOf(client, identifier.toLowerCase());
  }),
  freedom('cards-in-another-order-each-time', 'A listing begins with another card each time', [22], (world) => {
    const { cardsOf } = world.rules;
    let turn = 0;
    world.rules.cardsOf = (client) => {
      const cards = cardsOf(client);
      turn = (turn + 37) % cards.length;
      return [...cards.slice(turn), ...cards.slice(0, turn)];
    };
  }),
  freedom('reprint-identifier-once', 'An externalIdentifier is good for one reprint', [46], (world) => {
    const count = counter();
    unless(world, 'reissue', 'cards.reissue', (_card, { externalIdentifier }) =>
      Boolean(externalIdentifier && count(externalIdentifier) > 1),
    );
  }),
  freedom('pin-not-as-before', 'A PIN differs from the one before', [46], (world) =>
    unless(world, 'pin', 'cards.setPin', (card, { pin }) => {
      const same = card.notes.pin !== undefined && card.notes.pin === pin;
      if (typeof pin === 'string' && /^\d{4,6}$/.test(pin)) card.notes.pin = pin;
      return same;
    }),
  ),
  freedom('wallet-takes-a-card-once', 'A card in a wallet is refused by the next', [46], (world) =>
    unless(world, 'wallet-provisioned', 'cards.markWalletProvisioned', ({ provisioned }) => provisioned !== undefined),
  ),
  freedom('vde-of-active-cards', 'Cards that are not Active are not encrypted', [46], (world) =>
    around(world, 'cards.encryptForVde', (call, next) => {
      const card = world.rules.cardOf(call.client!, call.identifier);
      if (card && card.status !== 'Active') throw new Refusal(409, 'identifier', 'Not Active', 'cardState');
      return next();
    }),
  ),
  freedom('suspended-status-refused', 'The status of a suspended card is told by telephone alone', [28], (world) =>
    around(world, 'cards.getStatus', (call, next) => {
      const card = world.rules.cardOf(call.client!, call.identifier);
      if (card?.status === 'OnHold') throw new Refusal(403, 'identifier', 'Please call us', 'suspended');
      return next();
    }),
  ),
  freedom(
    'no-payment-back-for-half-a-second',
    'What was received is not paid back for half a second',
    [46],
    (world) => {
      const paid = new Map<string, number>();
      const { transferProblem, move } = world.rules;
      world.rules.transferProblem = (source, target, cents, body) => {
        const problem = transferProblem(source, target, cents, body);
        const fresh = Date.now() - (paid.get(`${target?.identifier}>${source.identifier}`) ?? 0) < 500;
        return problem ?? (fresh ? new Refusal(409, 'targetCardIdentifier', 'Too soon', 'coolDown') : undefined);
      };
      world.rules.move = async (source, target, cents) => {
        await move(source, target, cents);
        paid.set(`${source.identifier}>${target.identifier}`, Date.now());
      };
    },
  ),
  freedom(
    'transfers-are-said-to-be-pending',
    'A transfer is Pending in its answer, and booked at once',
    [27],
    (world) => {
      const { transferView } = world.rules;
      world.rules.transferView = (...asked) => ({ ...transferView(...asked), status: 'Pending' });
    },
  ),
  freedom('hierarchy-by-name', 'A hierarchy is sorted by name', [37], (world) => {
    const { hierarchy } = world.rules;
    world.rules.hierarchy = (call, customer) =>
      hierarchy(call, customer).sort((one, other) => (one.name < other.name ? -1 : 1));
  }),
  freedom('machines-end-with-404', 'A page beyond the last cash point is not there: 404', [46, 41], (world) =>
    after(world, 'portal.getATMLocation', (_call, answer) => {
      const { machines } = answer.body as { machines: unknown[] };
      if (machines.length === 0) throw new Refusal(404, 'pageOffset', 'No more cash points');
      return undefined;
    }),
  ),
  freedom('checks-compare-both-numbers', 'ssnLast4 beside ssn is its end, or the check is refused', [46], (world) => {
    const { cipProblem } = world.rules;
    world.rules.cipProblem = (body) => {
      const { ssn, ssnLast4 } = body;
      const differ = typeof ssn === 'number' && typeof ssnLast4 === 'number' && ssn % 10_000 !== ssnLast4;
      return cipProblem(body) ?? (differ ? 'ssnLast4' : undefined);
    };
  }),
  freedom('checks-of-the-living', 'Who was born before 1900 is not checked', [46], (world) => {
    const { cipProblem } = world.rules;
    world.rules.cipProblem = (body) => cipProblem(body) ?? (Number(body.dobYear) < 1900 ? 'dobYear' : undefined);
  }),
];

const orders: Freedom[] = [
  freedom(
    'orders-repeat-the-first-answer-for-two-seconds',
    'An order that comes again within two seconds is answered as the first, later it is refused',
    [44],
    (world) => {
      const first = new Map<string, { answer: Answer; at: number }>();
      around(world, 'portal.orderCards', async (call, next) => {
        const { custProgId, externalIdentifier } = bodyOf(call);
        const key = `${custProgId}|${externalIdentifier}`;
        const answer = await next();
        const kept = first.get(key);
        if (answer.status === 409 && externalIdentifier && kept && Date.now() - kept.at < 2000) return kept.answer;
        if (answer.status === 200) first.set(key, { answer, at: Date.now() });
        return answer;
      });
    },
  ),
  freedom(
    'other-info-refused-in-words',
    'An otherInfo used before is answered with 200 and a sentence, and no card is made',
    [44],
    (world) =>
      around(world, 'portal.orderCards', async (_call, next) => {
        const answer = await next();
        const { at, reason } = (answer.body ?? {}) as Fields;
        return answer.status === 409 && at === 'otherInfo'
          ? { status: 200, body: { accepted: false, reason } }
          : answer;
      }),
  ),
  freedom('names-within-twenty-six', 'A name to emboss has 26 characters, with its blank', [46], (world) =>
    orderRefused(world, (_body, items) =>
      items.some(({ firstName, lastName }) => `${firstName} ${lastName}`.length > 26) ? 'lastName' : undefined,
    ),
  ),
  freedom('order-identifiers-of-digits', 'Identifiers of orders and loads are of digits', [46, 48], (world) =>
    orderRefused(world, (body, items) =>
      [body, ...items].some(({ externalIdentifier }) => externalIdentifier && /\D/.test(String(externalIdentifier)))
        ? 'externalIdentifier'
        : undefined,
    ),
  ),
];

const company: Freedom[] = [
  freedom(
    'others-use-the-plain-cards',
    'Another tester moves money between cards outside the pools, and suspends one for a while',
    [10, 47],
    (world) => {
      const pools = Object.values(world.fixtures.cards).flat();
      const cards = world.cards.filter(({ identifier, status, cents }) => {
        return status === 'Active' && cents > 9000 && !pools.includes(identifier);
      });
      const [one, other, third] = [cards[12]!, cards[15]!, cards[18]!];
      meanwhile(world, 1700, (turn) => {
        const cents = turn % 2 === 0 ? 100 : -100;
        change(world, one, { cents: one.cents - cents });
        change(world, other, { cents: other.cents + cents });
        world.rules.act(third, turn % 2 === 0 ? 'unsuspend' : 'suspend');
      });
    },
  ),
  freedom('others-add-programs', 'Another office adds an auto-created program each two seconds', [40, 47], (world) => {
    meanwhile(world, 2000, (turn) => {
      const sample = world.programs.find(({ name }) => name === 'spare');
      if (sample && turn < 60) world.programs.push({ ...sample, id: 5_300_000_000_000 + turn, name: `joined ${turn}` });
    });
  }),
  freedom('colleague-with-the-same-login', 'A colleague uses the same login, and comes and goes', [33], (world) => {
    meanwhile(world, 1100, () => {
      const session = world.rules.openSession(world.users[0]!);
      setTimeout(() => world.rules.endSession(session), 600).unref();
    });
  }),
];

export const unfamiliarFreedoms: Freedom[] = [...paces, ...shapes, ...choices, ...orders, ...company];
