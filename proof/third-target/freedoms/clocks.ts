import type { Freedom } from '../core/changes.ts';
import { after, before, freedom } from '../core/changes.ts';
import type { Card, CardState, World } from '../core/model.ts';
import { stateBefore } from '../core/model.ts';

/** The whole target's clock stands elsewhere, by seconds; what faces the client keeps the right one. */
function standsElsewhere(world: World, seconds: number): void {
  const { now } = world;
  world.now = () => now() + seconds * 1000;
  world.outer.push({
    covers: () => true,
    layer: async (_call, next) => {
      const answer = await next();
      return { ...answer, headers: { ...answer.headers, date: new Date().toUTCString() } };
    },
  });
}

/** Tokens are dated by another clock than the one that judges them. */
function tokensDated(world: World, dated: () => number): void {
  const { tokenAnswer } = world.rules;
  world.rules.tokenAnswer = (claims, text) => {
    const seconds = dated();
    return {
      ...tokenAnswer(claims, text),
      not_before: claims.from + seconds,
      expires_on: claims.until + seconds,
    };
  };
}

const clocks: Freedom[] = [
  freedom('clock-seven-minutes-ahead', "The target's clock is 7 minutes ahead of the gateway's", [14], (world) =>
    standsElsewhere(world, 437),
  ),
  freedom('clock-four-minutes-behind', "The target's clock is 4 minutes behind the gateway's", [14], (world) =>
    standsElsewhere(world, -253),
  ),
  freedom('clock-three-hours-and-a-bit-ahead', 'An earlier test moved the clock by 3 h 8 min', [14], (world) => {
    world.advanced += (3 * 3600 + 8 * 60 + 11) * 1000;
    before(world, /./, async (_call, next) => {
      const answer = await next();
      return { ...answer, headers: { ...answer.headers, date: new Date().toUTCString() } };
    });
  }),
  freedom('clocks-of-two-issuers', 'Two servers issue tokens, by clocks 20 seconds apart', [14, 47], (world) => {
    let count = 0;
    tokensDated(world, () => {
      count += 1;
      return count % 2 === 0 ? 20 : 0;
    });
  }),
  freedom('issuer-behind-by-a-minute', 'The issuer of tokens is a minute behind', [14], (world) =>
    tokensDated(world, () => -60),
  ),
  freedom('token-times-in-milliseconds', 'not_before and expires_on are milliseconds', [14], (world) => {
    const { tokenAnswer } = world.rules;
    world.rules.tokenAnswer = (claims, text) => ({
      ...tokenAnswer(claims, text),
      not_before: claims.from * 1000,
      expires_on: claims.until * 1000,
    });
  }),
  freedom(
    'token-not-before-is-early',
    'not_before is two minutes before the issue, for clocks that differ',
    [14],
    (world) => {
      const { tokenAnswer } = world.rules;
      world.rules.tokenAnswer = (claims, text) => ({ ...tokenAnswer(claims, text), not_before: claims.from - 120 });
    },
  ),
  freedom('token-lives-a-bit-less-in-words', 'expires_in allows for the way of the answer: 3598', [14], (world) => {
    const { tokenAnswer } = world.rules;
    world.rules.tokenAnswer = (claims, text) => ({ ...tokenAnswer(claims, text), expires_in: 3598 });
  }),
  freedom('times-with-an-offset', 'Times are given in the time of the shop, with their offset', [4, 26], (world) => {
    const { listView } = world.rules;
    const local = (time: unknown) =>
      `${new Date(Date.parse(String(time)) - 5 * 3_600_000).toISOString().slice(0, -1)}-05:00`;
    world.rules.listView = (card) => {
      const view = listView(card);
      const names = Object.keys(view).filter((name) => name.endsWith('Date') || name === 'expiration');
      return { ...view, ...Object.fromEntries(names.map((name) => [name, local(view[name])])) };
    };
  }),
  freedom('times-without-fractions', 'Times are of whole seconds', [4], (world) => {
    const { listView } = world.rules;
    world.rules.listView = (card) =>
      Object.fromEntries(
        Object.entries(listView(card)).map(([name, value]) => [
          name,
          typeof value === 'string' ? value.replace(/\.\d{3}Z$/, 'Z') : value,
        ]),
      );
  }),
  freedom('sessions-idle-for-half-an-hour', 'A session that is not used for half an hour has ended', [33], (world) => {
    const { sessionOf } = world.rules;
    world.rules.sessionOf = (id) => {
      const session = sessionOf(id);
      return session && world.now() - session.used < 1_800_000 ? session : undefined;
    };
  }),
];

/** What a replica shows that lags by so many milliseconds. */
const lagging = (world: World, milliseconds: () => number) => {
  const { recordOf } = world.rules;
  world.rules.recordOf = (card: Card): CardState => {
    const now = recordOf(card);
    const old = stateBefore(card, milliseconds());
    return old === card ? now : { status: old.status, cents: now.cents, provisioned: old.provisioned };
  };
};

const lags: Freedom[] = [
  freedom('replica-lags-300ms', 'Records are read from a replica that is 0.3 seconds behind', [49, 10], (world) =>
    lagging(world, () => 300),
  ),
  freedom('replicas-alternate', 'Two replicas answer by turns, one of them 0.25 seconds behind', [49, 10], (world) => {
    let turn = 0;
    lagging(world, () => {
      turn += 1;
      return turn % 2 === 0 ? 250 : 0;
    });
  }),
  freedom('balance-lags-200ms', 'A balance shows a transfer after 0.2 seconds', [49, 10], (world) => {
    world.rules.balanceOf = (card) => stateBefore(card, 200).cents;
  }),
  freedom('status-lags-300ms', 'A status shows a step after 0.3 seconds', [49, 10], (world) => {
    world.rules.statusOf = (card) => stateBefore(card, 300).status;
    const { act } = world.rules;
    world.rules.act = (card, action) => {
      const stored = { ...card.stored };
      act(card, action);
      card.stored = stored;
    };
  }),
  freedom(
    'record-waits-for-a-refresh',
    'The stored record changes only when balance or status is asked for',
    [10],
    (world) => {
      const { act } = world.rules;
      world.rules.act = (card, action) => {
        const stored = { ...card.stored };
        act(card, action);
        card.stored = stored;
      };
    },
  ),
  freedom('record-follows-at-once', 'The stored record follows each change at once', [10], (world) => {
    world.rules.recordOf = ({ status, cents, provisioned }) => ({ status, cents, provisioned });
  }),
  freedom('listing-lags-250ms', 'The listing is 0.25 seconds behind the record', [10, 49], (world) => {
    const shown = new Map<Card, { at: number; state: CardState }[]>();
    const note = (card: Card) => {
      const states = shown.get(card) ?? [];
      states.push({ at: Date.now(), state: world.rules.recordOf(card) });
      shown.set(card, states.slice(-20));
    };
    after(world, /^cards\./, (call) => {
      const card = world.cards.find(({ identifier }) => identifier === call.identifier);
      if (card) note(card);
      return undefined;
    });
    const { listView } = world.rules;
    const { cardView } = world.rules;
    world.rules.cardView = (card) => {
      const { status, cents } = world.rules.recordOf(card);
      return { ...cardView(card), status, balance: cents / 100 };
    };
    world.rules.listView = (card) => {
      const states = shown.get(card)?.filter(({ at }) => at < Date.now() - 250) ?? [];
      const state = states.at(-1)?.state;
      return state ? { ...listView(card), status: state.status, balance: state.cents / 100 } : listView(card);
    };
  }),
  freedom('duplicate-answer-is-slow', 'The register of orders takes 0.3 seconds to answer', [47, 44], (world) => {
    before(world, 'portal.orderCards', async (_call, next) => {
      await new Promise((done) => setTimeout(done, 300));
      return next();
    });
  }),
];

export const clockFreedoms: Freedom[] = [...clocks, ...lags];
