import { randomUUID } from 'node:crypto';
import type { Freedom } from '../core/changes.ts';
import { afterCard, freedom, meanwhile } from '../core/changes.ts';
import type { Card, World } from '../core/model.ts';
import { change } from '../core/model.ts';

const pool = (world: World, name: string): Card[] => {
  const identifiers = world.fixtures.cards[name] as string[];
  return identifiers.map((identifier) => world.cards.find((card) => card.identifier === identifier)!);
};

export const neighbours: Freedom[] = [
  freedom('others-move-money', 'Another tester moves 0.50 to and from the third active card', [49, 10], (world) => {
    const card = pool(world, 'active')[2]!;
    meanwhile(world, 2500, (turn) => change(world, card, { cents: card.cents + (turn % 2 === 0 ? 50 : -50) }));
  }),
  freedom(
    'others-suspend-for-a-while',
    'Another tester suspends the fifth active card for a second now and then',
    [10, 47],
    (world) => {
      const card = pool(world, 'active')[4]!;
      meanwhile(world, 4000, () => {
        if (card.status !== 'Active') return;
        world.rules.act(card, 'suspend');
        setTimeout(() => card.status === 'OnHold' && world.rules.act(card, 'unsuspend'), 1000).unref();
      });
    },
  ),
  freedom(
    'idle-cards-are-suspended',
    'Cards of the pools that nobody has used for two seconds are suspended by a watch',
    [10, 47],
    (world) => {
      const cards = [...pool(world, 'active').slice(4), ...pool(world, 'disposable').slice(15)];
      const usedAt = new Map<Card, number>();
      afterCard(world, /^cards\.(suspend|unsuspend|transfer)$/, (card) => void usedAt.set(card, Date.now()));
      const start = Date.now();
      const isIdle = (card: Card) => Date.now() - (usedAt.get(card) ?? start) > 2000;
      meanwhile(world, 500, () => {
        for (const card of cards) if (card.status === 'Active' && isIdle(card)) world.rules.act(card, 'suspend');
      });
    },
  ),
  freedom('others-used-up-some', 'Some cards of the pools are spent: lost, closed, activated', [47], (world) => {
    world.rules.act(pool(world, 'active')[0]!, 'marklost');
    world.rules.act(pool(world, 'disposable')[1]!, 'close');
    world.rules.act(pool(world, 'unused')[0]!, 'activate');
    world.rules.act(pool(world, 'fraud')[2]!, 'unmarkfraud');
  }),
  freedom('others-add-customers', 'Another office adds a customer each three seconds', [19], (world) => {
    const parent = world.customers[21]!;
    meanwhile(world, 3000, (turn) => {
      if (turn > 60) return;
      world.customers.push({
        identifier: randomUUID(),
        name: `Newly joined ${turn}`,
        parent,
        portalId: 420_000_000_000_000 + turn,
        ein: '400000000',
        permissions: {},
      });
    });
  }),
  freedom(
    'others-order-too',
    'Another office orders a card each two seconds, under identifiers of its own',
    [44, 47],
    (world) => {
      meanwhile(world, 2000, (turn) => {
        const latest = world.orders.at(-1);
        if (!latest || turn > 200) return;
        const items = [{ firstName: 'Vera', lastName: 'Wells', otherInfo: `W${turn}` }];
        world.orders.push({ ...latest, id: 6_900_000 + turn, external: `W${turn}`, items, several: false, body: {} });
      });
    },
  ),
  freedom('others-log-in-and-out', 'The restricted user has a browser open, and logs in and out', [33], (world) => {
    meanwhile(world, 1500, () => {
      const session = world.rules.openSession(world.users[1]!);
      setTimeout(() => world.rules.endSession(session), 700).unref();
    });
  }),
  freedom('others-provision-wallets', 'Cards of the pools enter wallets by other hands', [10, 49], (world) => {
    const cards = pool(world, 'disposable').slice(20);
    meanwhile(world, 5000, (turn) => {
      const card = cards[turn];
      if (card?.status === 'Active' && card.provisioned === undefined)
        change(world, card, { provisioned: world.now() });
    });
  }),
  freedom('others-spend', 'The holder of the second disposable card spends 0.75 now and then', [49, 10], (world) => {
    const card = pool(world, 'disposable')[1]!;
    meanwhile(world, 3500, () => {
      if (card.status === 'Active' && card.cents >= 75) change(world, card, { cents: card.cents - 75 });
    });
  }),
  freedom('monthly-fee-by-the-clock', 'Whoever has money on a card pays 1.00 for each 30 days', [49], (world) => {
    const paid = new Map<Card, number>();
    const start = world.now();
    const settle = (card: Card) => {
      const months = Math.floor((world.now() - start) / (30 * 86_400_000)) - (paid.get(card) ?? 0);
      if (months < 1) return;
      paid.set(card, (paid.get(card) ?? 0) + months);
      change(world, card, { cents: Math.max(0, card.cents - 100 * months) });
    };
    const { balanceOf } = world.rules;
    world.rules.balanceOf = (card) => {
      settle(card);
      return balanceOf(card);
    };
  }),
  freedom('interest-on-the-hour', 'Active cards above 100.00 gain a cent each minute', [49], (world) => {
    const cards = pool(world, 'active').slice(8, 11);
    meanwhile(world, 60_000, () => {
      for (const card of cards) if (card.cents > 10_000) change(world, card, { cents: card.cents + 1 });
    });
  }),
];
