import type { Fault } from '../core/changes.ts';
import { after, afterCard, around, faultsOf } from '../core/changes.ts';
import type { Answer, Call, Card, CardState, Fields, Session, World } from '../core/model.ts';

const fault = faultsOf('caches');

/** Answers are kept under a key, for good or for some seconds of the target's clock. */
function keeps(world: World, operation: string, key: (call: Call) => string, seconds = Number.POSITIVE_INFINITY): void {
  const kept = new Map<string, { answer: Answer; until: number }>();
  around(world, operation, async (call, next) => {
    const found = kept.get(key(call));
    if (found && found.until > world.now()) return found.answer;
    const answer = await next();
    if (answer.status < 300) kept.set(key(call), { answer, until: world.now() + seconds * 1000 });
    return answer;
  });
}

/** In the listing a member is what it was when something happened last. */
function listedOld(world: World, pick: (card: Card) => Partial<CardState>, renewedBy: RegExp): void {
  const old = new Map<Card, Partial<CardState>>(world.cards.map((card) => [card, pick(card)]));
  afterCard(world, renewedBy, (card) => {
    old.set(card, pick(card));
  });
  after(world, 'cards.list', (_call, answer) => {
    const results = (answer.body as { results: Fields[] }).results.map((view) => {
      const card = world.cards.find(({ identifier }) => identifier === view.identifier)!;
      const { status, cents, provisioned } = { ...world.rules.recordOf(card), ...old.get(card) };
      return { ...view, status, balance: cents / 100, isProvisionedToWallet: provisioned !== undefined };
    });
    return { ...answer, body: { ...(answer.body as Fields), results } };
  });
}

const whole = ({ path, query }: Call) => `${path}?${query}`;
const only =
  (...names: string[]) =>
  ({ path, query }: Call) =>
    [path, ...names.map((name) => query.get(name))].join('|');

const listings: Fault[] = [
  fault(
    'listing-kept-for-good',
    'cards.list',
    10,
    'The answer to a listing is kept for each query, and never made again',
    (world) => keeps(world, 'cards.list', whole),
  ),
  fault('listing-kept-by-customer', 'cards.list', 26, 'The listing of a customer is kept for an hour', (world) =>
    keeps(
      world,
      'cards.list',
      (call) => (call.query.get('customerIdentifier') ? whole(call) : `${Math.random()}`),
      3600,
    ),
  ),
  fault(
    'listing-kept-without-its-second-filter',
    'cards.list',
    22,
    'A kept listing is found by customerIdentifier, whatever else is asked',
    (world) =>
      keeps(
        world,
        'cards.list',
        (call) => (call.query.get('customerIdentifier') ? only('customerIdentifier')(call) : `${Math.random()}`),
        120,
      ),
  ),
  fault(
    'listing-kept-without-max',
    'cards.list',
    22,
    'A kept listing is found by its filters, whatever max is',
    (world) =>
      keeps(
        world,
        'cards.list',
        only('customerIdentifier', 'programIdentifier', 'orderIdentifier', 'externalIdentifier'),
        5,
      ),
  ),
  fault(
    'listing-forgets-freed-cards',
    'cards.list',
    10,
    'The listing learns of a suspension, not of its end',
    (world) => {
      const held = new Set<Card>();
      afterCard(world, 'cards.suspend', (card) => held.add(card));
      after(world, 'cards.list', (_call, answer) => {
        const results = (answer.body as { results: Fields[] }).results.map((view) => {
          const card = world.cards.find(({ identifier }) => identifier === view.identifier);
          return card && held.has(card) ? { ...view, status: 'OnHold' } : view;
        });
        return { ...answer, body: { ...(answer.body as Fields), results } };
      });
    },
  ),
  fault(
    'listing-with-old-balances',
    'cards.list',
    10,
    'The listing does not learn of a balance that was refreshed',
    (world) => listedOld(world, ({ stored }) => ({ cents: stored.cents }), /^cards\.(getStatus|suspend|reissue)$/),
  ),
  fault(
    'listing-with-old-states',
    'cards.list',
    10,
    'The listing learns of a status when the balance is asked for, not when the status is',
    (world) => listedOld(world, ({ stored }) => ({ status: stored.status }), /^cards\.getBalance$/),
  ),
  fault(
    'listing-without-new-wallets',
    'cards.list',
    26,
    'The listing does not learn that a card is in a wallet',
    (world) => listedOld(world, ({ provisioned }) => ({ provisioned }), /^cards\.reissue$/),
  ),
  fault(
    'relatives-kept-for-good',
    'cards.listRelated',
    26,
    'The relatives of a card are kept as they were first shown',
    (world) => keeps(world, 'cards.listRelated', whole),
  ),
];

const records: Fault[] = [
  fault('card-by-proxy-kept', 'cards.get', 26, 'A card found by its proxy is kept as it was first found', (world) =>
    keeps(world, 'cards.get', (call) => (call.query.get('byProxy') ? whole(call) : `${Math.random()}`)),
  ),
  fault(
    'card-by-token-is-a-picture',
    'cards.get',
    26,
    'A temporary token shows the card as it was when the token was made',
    (world) => {
      const pictures = new Map<string, Fields>();
      after(world, 'cards.createToken', (call, answer) => {
        const card = world.rules.cardOf(call.client!, call.identifier);
        if (card) pictures.set((answer.body as { token: string }).token, world.rules.cardView(card));
        return undefined;
      });
      after(world, 'cards.get', (call, answer) =>
        call.query.get('byToken') && pictures.has(call.identifier)
          ? { ...answer, body: pictures.get(call.identifier) }
          : undefined,
      );
    },
  ),
  fault(
    'card-kept-for-a-minute',
    'cards.get',
    10,
    'The record of a card is kept for a minute, whatever is refreshed',
    (world) => keeps(world, 'cards.get', whole, 60),
  ),
  fault(
    'status-not-written-back',
    'cards.getStatus',
    10,
    'Asking for the status does not refresh the record',
    (world) => {
      const { refresh, act } = world.rules;
      world.rules.refresh = (card, what) => {
        if (what === 'balance') refresh(card, what);
      };
      world.rules.act = (card, action) => {
        const stored = { ...card.stored };
        act(card, action);
        card.stored = stored;
      };
    },
  ),
  fault(
    'balance-not-written-back',
    'cards.getBalance',
    10,
    'Asking for the balance does not refresh the record',
    (world) => {
      const { refresh } = world.rules;
      world.rules.refresh = (card, what) => {
        if (what === 'status') refresh(card, what);
      };
    },
  ),
  fault(
    'status-kept-after-freeing',
    'cards.getStatus',
    28,
    'A status is kept until the card is suspended, closed or lost',
    (world) => {
      const kept = new Map<Card, ReturnType<World['rules']['statusOf']>>();
      const { statusOf } = world.rules;
      world.rules.statusOf = (card) => {
        const found = kept.get(card) ?? statusOf(card);
        kept.set(card, found);
        return found;
      };
      afterCard(world, /^cards\.(suspend|close|markLost|activate|unmarkFraud)$/, (card) => kept.delete(card));
    },
  ),
  fault(
    'balance-kept-for-the-receiver',
    'cards.getBalance',
    27,
    'A balance is kept for ten minutes, and only the payer of a transfer is told',
    (world) => {
      const kept = new Map<Card, { cents: number; until: number }>();
      const { balanceOf, move } = world.rules;
      world.rules.balanceOf = (card) => {
        const found = kept.get(card);
        if (found && found.until > world.now()) return found.cents;
        kept.set(card, { cents: balanceOf(card), until: world.now() + 600_000 });
        return balanceOf(card);
      };
      world.rules.move = async (source, target, cents) => {
        await move(source, target, cents);
        kept.delete(source);
      };
    },
  ),
  fault(
    'balance-kept-for-the-second-payment',
    'cards.getBalance',
    27,
    'A payer is told its balance of before when it paid twice within ten seconds',
    (world) => {
      const paid = new Map<Card, { at: number; cents: number; again: boolean }>();
      const { balanceOf, move } = world.rules;
      world.rules.balanceOf = (card) => {
        const last = paid.get(card);
        return last?.again ? last.cents : balanceOf(card);
      };
      world.rules.move = async (source, target, cents) => {
        const last = paid.get(source);
        const again = last !== undefined && world.now() - last.at < 10_000;
        paid.set(source, { at: world.now(), cents: source.cents, again });
        paid.delete(target);
        await move(source, target, cents);
      };
    },
  ),
];

const users: Fault[] = [
  fault(
    'customers-kept-by-max',
    'users.list',
    20,
    'A page of customers is kept by its max for ten seconds, whatever is searched',
    (world) => keeps(world, 'users.list', only('max', 'token'), 10),
  ),
  fault(
    'customers-kept-without-the-name',
    'users.list',
    20,
    'Below a parent the first search is kept, whatever name is asked for',
    (world) =>
      keeps(
        world,
        'users.list',
        (call) =>
          call.query.get('parentIdentifier') ? only('parentIdentifier', 'max', 'token')(call) : `${Math.random()}`,
        60,
      ),
  ),
  fault(
    'later-pages-kept-without-max',
    'users.list',
    19,
    'A later page is kept for its token, whatever max is: customers are missed',
    (world) => {
      const kept = new Map<string, Answer>();
      around(world, 'users.list', async (call, next) => {
        const token = call.query.get('token');
        if (!token) return next();
        const answer = kept.get(token) ?? (await next());
        if (answer.status === 200) kept.set(token, answer);
        const max = Number(call.query.get('max') ?? 50);
        const body = answer.body as { results?: unknown[] };
        return body.results && body.results.length > max
          ? { ...answer, body: { ...body, results: body.results.slice(0, max) } }
          : answer;
      });
    },
  ),
  fault(
    'hierarchy-kept-by-session',
    'portal.getCustomerHierarchy',
    37,
    'A session gets the hierarchy that it asked for first, whichever customer it asks for',
    (world) => {
      const kept = new Map<Session, ReturnType<World['rules']['hierarchy']>>();
      const { hierarchy } = world.rules;
      world.rules.hierarchy = (call, customer) => {
        const found = kept.get(call.session!) ?? hierarchy(call, customer);
        kept.set(call.session!, found);
        return found;
      };
    },
  ),
  fault(
    'programs-kept-by-session',
    'portal.getCustomerProgramList',
    40,
    'For ten seconds a session gets the programs it asked for last, even for a customer that does not exist',
    (world) =>
      keeps(
        world,
        'portal.getCustomerProgramList',
        (call) => `${call.session!.id}|${call.query.get('showAutoCreated')}`,
        10,
      ),
  ),
  fault(
    'programs-kept-without-switches',
    'portal.getCustomerProgramList',
    40,
    'The programs of a customer are kept as they were first asked for, whatever the switches',
    (world) => keeps(world, 'portal.getCustomerProgramList', only('customerId')),
  ),
];

const guards: Fault[] = [
  fault(
    'token-kept-as-good',
    'cards.getBalance',
    15,
    'A token that was good once is not looked at again for two hours',
    (world) => {
      const good = new Map<string, number>();
      const { alive } = world.rules;
      world.rules.alive = (claims) => {
        if ((good.get(claims.serial) ?? 0) > world.now()) return true;
        if (alive(claims)) good.set(claims.serial, world.now() + 7_200_000);
        return alive(claims);
      };
    },
  ),
  fault(
    'session-kept-as-good-by-programs',
    'portal.getCustomerProgramList',
    33,
    'A session that listed programs may do so for five minutes more, ended or not',
    (world) => {
      const good = new Map<string, { session: Session; until: number }>();
      const { sessionOf } = world.rules;
      world.rules.sessionOf = (id) => {
        const kept = good.get(id);
        return sessionOf(id) ?? (kept && kept.until > world.now() ? kept.session : undefined);
      };
      after(world, 'portal.getCustomerProgramList', (call) => {
        good.set(call.session!.id, { session: call.session!, until: world.now() + 300_000 });
        return undefined;
      });
    },
  ),
];

export const caches: Fault[] = [...listings, ...records, ...users, ...guards];
