import type { Freedom } from '../core/changes.ts';
import { after, around, before, bodyOf, freedom, members, sleep } from '../core/changes.ts';
import type { Action, Card, Fields, Status, World } from '../core/model.ts';
import { Refusal } from '../core/model.ts';

/** One more precondition of an action. */
function only(world: World, action: Action, fits: (card: Card) => boolean): void {
  const { allowed } = world.rules;
  world.rules.allowed = (card, name) => allowed(card, name) && (name !== action || fits(card));
}

/** An action that is taken, too, in states that change nothing. */
function alsoTaken(world: World, action: Action, states: Status[]): void {
  const { allowed, act } = world.rules;
  world.rules.allowed = (card, name) => allowed(card, name) || (name === action && states.includes(card.status));
  world.rules.act = (card, name) => {
    if (name !== action || allowed(card, name)) act(card, name);
  };
}

const NAMES: Record<Status, string> = {
  Active: 'Active',
  OnHold: 'SUSPENDED',
  NotActivated: 'Inactive',
  AccountClosed: 'Closed by holder',
  ReportedLost: 'Lost',
  FraudHold: 'Fraud',
};

function listed(world: World, patch: (view: Fields) => Fields): void {
  const { listView } = world.rules;
  world.rules.listView = (card) => patch(listView(card));
}

const views: Freedom[] = [
  freedom('cards-other-status-names', 'Statuses have names of our own', [4, 26], (world) =>
    listed(world, (view) => ({ ...view, status: NAMES[view.status as Status] })),
  ),
  freedom('cards-list-without-balance', 'The listing shows neither balance nor status', [10, 5], (world) =>
    after(world, 'cards.list', (_call, answer) => {
      const { results } = answer.body as { results: Fields[] };
      return members(answer, { results: results.map(({ balance, status, ...rest }) => rest) });
    }),
  ),
  freedom('cards-say-little', 'A card in a listing is its identifier and its status', [5], (world) =>
    after(world, /^cards\.(list|listRelated)$/, (_call, answer) => {
      const { results } = answer.body as { results: Fields[] };
      return members(answer, { results: results.map(({ identifier, status }) => ({ identifier, status })) });
    }),
  ),
  freedom('cards-say-more', 'A card has limits, a program, a colour and a history', [4], (world) =>
    listed(world, (view) => ({ limits: { day: 500 }, colour: null, history: [], ...view, program: 'Standard' })),
  ),
  freedom('cards-without-balance-in-the-record', 'The record has no balance: ask for it', [5, 10], (world) =>
    listed(world, ({ balance, ...rest }) => rest),
  ),
  freedom('cards-are-refreshing', 'isRefreshing is true for half a second after a step', [4], (world) => {
    const { listView } = world.rules;
    world.rules.listView = (card) => ({
      ...listView(card),
      isRefreshing: (card.past.at(-1)?.at ?? 0) > Date.now() - 500,
    });
  }),
];

const listings: Freedom[] = [
  freedom('cards-max-of-fifty', 'max of the listing goes to 50', [22], (world) =>
    around(world, 'cards.list', (call, next) => {
      if (Number(call.query.get('max')) > 50) throw new Refusal(400, 'max', '50 at most', 'range');
      return next();
    }),
  ),
  freedom('cards-max-capped-at-sixty', 'More than 60 asked for gives 60', [22], (world) =>
    around(world, 'cards.list', (call, next) => {
      if (Number(call.query.get('max')) > 60) call.query.set('max', '60');
      return next();
    }),
  ),
  freedom('cards-max-zero-is-none', 'max of zero gives no card, and less gives the default', [22], (world) =>
    around(world, 'cards.list', async (call, next) => {
      const max = call.query.get('max') ?? '';
      if (max === '0') return { status: 200, body: { results: [] } };
      if (/^-\d+$/.test(max)) call.query.delete('max');
      return next();
    }),
  ),
  freedom('cards-token-refused', 'There are no pages of the listing: a token is refused', [22], (world) =>
    around(world, 'cards.list', (call, next) => {
      if (call.query.get('token')) throw new Refusal(400, 'token', 'There are no pages', 'token');
      return next();
    }),
  ),
  freedom('cards-latest-first', 'The listing begins with the cards that changed last', [22], (world) => {
    const { cardsOf } = world.rules;
    world.rules.cardsOf = (client) => cardsOf(client).sort((one, other) => other.updated - one.updated);
  }),
  freedom(
    'cards-of-the-customers-below',
    'customerIdentifier gives the cards of the customers below, too',
    [22],
    (world) => {
      const { cardMatches } = world.rules;
      world.rules.cardMatches = (card, filters) => {
        for (let owner: typeof card.customer | undefined = card.customer; owner; owner = owner.parent)
          if (cardMatches({ ...card, customer: owner }, filters)) return true;
        return false;
      };
    },
  ),
  freedom('cards-unknown-filter-404', 'A filter that names nothing we know answers 404', [11, 22], (world) =>
    around(world, 'cards.list', (call, next) => {
      const known = (name: string, of: (card: Card) => string) =>
        !call.query.get(name) || world.cards.some((card) => of(card) === call.query.get(name));
      const customer = call.query.get('customerIdentifier');
      const fits =
        known('programIdentifier', ({ program }) => program) &&
        known('orderIdentifier', ({ order }) => order) &&
        known('externalIdentifier', ({ external }) => external) &&
        (!customer || world.rules.customerOf(call.client!, customer) !== undefined);
      if (!fits) throw new Refusal(404, 'filter', 'Nothing of that name', 'unknown');
      return next();
    }),
  ),
  freedom('cards-path-in-any-case', 'Identifiers of cards are read in any case of letters', [11], (world) => {
    const { cardOf } = world.rules;
    world.rules.cardOf = (client, identifier) => cardOf(client, identifier.toLowerCase());
  }),
];

const steps: Freedom[] = [
  freedom('close-only-empty', 'An account is closed when it is empty', [29, 50], (world) =>
    only(world, 'close', ({ cents }) => cents === 0),
  ),
  freedom('close-only-suspended', 'An account is closed once it is suspended', [50], (world) =>
    only(world, 'close', ({ status }) => status === 'OnHold'),
  ),
  freedom('lost-only-suspended', 'A card is marked lost once it is suspended', [50], (world) =>
    only(world, 'marklost', ({ status }) => status === 'OnHold'),
  ),
  freedom('wallet-only-after-encryption', 'A wallet takes a card after encrypt-for-vde', [50], (world) => {
    after(world, 'cards.encryptForVde', (call) => {
      const card = world.cards.find(({ identifier }) => identifier === call.identifier);
      if (card) card.notes.encrypted = true;
      return undefined;
    });
    only(world, 'wallet-provisioned', ({ notes }) => notes.encrypted === true);
  }),
  freedom(
    'suspend-not-twice-in-half-a-second',
    'A card freed is not suspended again for half a second',
    [50],
    (world) =>
      only(
        world,
        'suspend',
        ({ past }) => past.at(-1)?.status !== 'OnHold' || (past.at(-1)?.at ?? 0) < Date.now() - 500,
      ),
  ),
  freedom(
    'unsuspend-after-a-third-of-a-second',
    'A card is freed a third of a second after its suspension',
    [50],
    (world) => only(world, 'unsuspend', ({ past }) => (past.at(-1)?.at ?? 0) < Date.now() - 330),
  ),
  freedom('reissue-once-a-day', 'A card is reprinted once a day', [46], (world) => {
    const printed = new Map<Card, number>();
    only(world, 'reissue', (card) => world.now() - (printed.get(card) ?? 0) > 86_400_000);
    const { act } = world.rules;
    world.rules.act = (card, action) => {
      if (action === 'reissue') printed.set(card, world.now());
      act(card, action);
    };
  }),
  freedom('reissue-not-of-wallets', 'A card in a wallet is not reprinted', [46], (world) =>
    only(world, 'reissue', ({ provisioned }) => provisioned === undefined),
  ),
  freedom('reissue-needs-an-identifier', 'A reprint carries an externalIdentifier', [30], (world) =>
    around(world, 'cards.reissue', (call, next) => {
      if (!bodyOf(call).externalIdentifier) throw new Refusal(400, 'externalIdentifier', 'Required', 'missing');
      return next();
    }),
  ),
  freedom('pin-not-of-one-digit', 'A PIN has four digits, not all alike and not in a row', [46], (world) =>
    around(world, 'cards.setPin', (call, next) => {
      const pin = String(bodyOf(call).pin ?? '');
      if (/^(\d)\1+$/.test(pin) || '01234567890'.includes(pin)) throw new Refusal(400, 'pin', 'Too plain', 'format');
      return next();
    }),
  ),
  freedom('pin-may-be-left-to-us', 'Without a pin in the body we choose one', [30], (world) =>
    around(world, 'cards.setPin', (call, next) => {
      if (call.body !== undefined && Object.keys(bodyOf(call)).length === 0) return { status: 200 };
      return next();
    }),
  ),
  freedom('steps-may-be-repeated', 'A step to where the card stands is taken and does nothing', [29, 50], (world) => {
    alsoTaken(world, 'activate', ['Active']);
    alsoTaken(world, 'suspend', ['OnHold']);
    alsoTaken(world, 'unsuspend', ['Active']);
    alsoTaken(world, 'close', ['AccountClosed']);
    alsoTaken(world, 'marklost', ['ReportedLost']);
  }),
  freedom(
    'steps-in-vain-are-taken',
    'unsuspend of a card that is closed, lost or unused answers 200 and does nothing',
    [29],
    (world) => alsoTaken(world, 'unsuspend', ['AccountClosed', 'ReportedLost', 'NotActivated', 'FraudHold']),
  ),
  freedom('activate-frees-suspended', 'activate frees a suspended card, too', [29], (world) => {
    const { allowed } = world.rules;
    world.rules.allowed = (card, action) =>
      allowed(card, action) || (action === 'activate' && card.status === 'OnHold');
  }),
  freedom('fraud-unmarked-waits', 'A card whose fraud is unmarked waits suspended', [10, 29], (world) => {
    const { act } = world.rules;
    world.rules.act = (card, action) => {
      act(card, action);
      if (action === 'unmarkfraud') act(card, 'suspend');
    };
  }),
  freedom('suspended-balance-refused', 'The balance of a suspended card is not told', [28], (world) =>
    around(world, 'cards.getBalance', (call, next) => {
      const card = world.cards.find(({ identifier }) => identifier === call.identifier);
      if (card?.status === 'OnHold') throw new Refusal(409, 'identifier', 'Suspended', 'cardState');
      return next();
    }),
  ),
  freedom('closed-balance-refused', 'The balance of a closed or lost card is not told', [28], (world) =>
    around(world, 'cards.getBalance', (call, next) => {
      const card = world.cards.find(({ identifier }) => identifier === call.identifier);
      if (card && ['AccountClosed', 'ReportedLost'].includes(card.status)) throw new Refusal(404, 'identifier', 'Gone');
      return next();
    }),
  ),
];

const nonces: Freedom[] = [
  freedom('vde-without-body', 'encrypt-for-vde needs no body', [30], (world) =>
    around(world, 'cards.encryptForVde', (call, next) => {
      if (call.text === '') call.body = {};
      return next();
    }),
  ),
  freedom('vde-nonce-once', 'A nonce is taken once', [30], (world) => {
    const seen = new Set<unknown>();
    around(world, 'cards.encryptForVde', async (call, next) => {
      const { nonce } = bodyOf(call);
      if (nonce && seen.has(nonce)) throw new Refusal(409, 'nonce', 'Used before', 'nonce');
      seen.add(nonce);
      return next();
    });
  }),
  freedom('vde-nonce-is-a-uuid', 'A nonce is a UUID', [30], (world) =>
    around(world, 'cards.encryptForVde', (call, next) => {
      const { nonce } = bodyOf(call);
      if (nonce && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(String(nonce)))
        throw new Refusal(400, 'nonce', 'A UUID, please', 'format');
      return next();
    }),
  ),
  freedom(
    'card-writes-one-by-one',
    'Steps of one card are taken one after the other, 0.1 seconds each',
    [46, 27],
    (world) => {
      let last: Promise<unknown> = Promise.resolve();
      before(world, /^cards\.(transfer|suspend|unsuspend|close|activate)$/, (_call, next) => {
        const mine = last.then(() => sleep(100)).then(next);
        last = mine.catch(() => {});
        return mine;
      });
    },
  ),
];

export const cardFreedoms: Freedom[] = [...views, ...listings, ...steps, ...nonces];
