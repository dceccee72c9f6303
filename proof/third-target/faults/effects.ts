import type { Fault } from '../core/changes.ts';
import { after, afterCard, around, before, bodyOf, faultsOf } from '../core/changes.ts';
import type { Card, Status, World } from '../core/model.ts';
import { change } from '../core/model.ts';
import { guard } from '../core/server.ts';

const fault = faultsOf('effects');

function set(world: World, card: Card | undefined, status: Status): void {
  if (!card) return;
  change(world, card, { status });
  card.stored.status = status;
}

const next = (world: World, card: Card) => world.cards[world.cards.indexOf(card) + 1];

const kin = (world: World, card: Card) => world.cards.filter((other) => other !== card && other.family === card.family);

/** A suspension is one of all other Active cards of the same family, customer or order. */
const suspendsAll = (world: World, alike: 'family' | 'customer' | 'order') =>
  afterCard(world, 'cards.suspend', (card) => {
    for (const other of world.cards)
      if (other !== card && other[alike] === card[alike] && other.status === 'Active') set(world, other, 'OnHold');
  });

/** What an operation does to others than its card. */
const spills: Fault[] = [
  fault('suspend-its-relatives', 'cards.suspend', 10, 'Suspending a card suspends its active relatives', (world) =>
    suspendsAll(world, 'family'),
  ),
  fault('suspend-the-customer', 'cards.suspend', 10, 'Suspending a card suspends all cards of its customer', (world) =>
    suspendsAll(world, 'customer'),
  ),
  fault('suspend-the-order', 'cards.suspend', 10, 'Suspending a card suspends all cards of its order', (world) =>
    suspendsAll(world, 'order'),
  ),
  fault(
    'suspend-the-owner-of-the-pools',
    'cards.suspend',
    10,
    'Suspending a card suspends all cards of its customer, who has those that tests may change',
    (world) => {
      const pooled = ['active', 'disposable'].flatMap((pool) => world.fixtures.cards[pool] as string[]);
      const cards = world.cards.filter(({ identifier }) => pooled.includes(identifier));
      for (const card of cards) card.customer = cards[0]!.customer;
      suspendsAll(world, 'customer');
    },
  ),
  fault(
    'unsuspend-the-next-one',
    'cards.unsuspend',
    10,
    'Freeing a card suspends the next one of the table, which shared its lock',
    (world) =>
      afterCard(world, 'cards.unsuspend', (card) => {
        const other = next(world, card);
        if (other?.status === 'Active') set(world, other, 'OnHold');
      }),
  ),
  fault('close-the-next-one', 'cards.close', 10, 'Closing an account closes the next one, too', (world) =>
    afterCard(world, 'cards.close', (card) => {
      if (next(world, card)?.status === 'Active') set(world, next(world, card), 'AccountClosed');
    }),
  ),
  fault('lost-with-its-relatives', 'cards.markLost', 10, 'Marking a card lost marks its relatives', (world) =>
    afterCard(world, 'cards.markLost', (card) => {
      for (const other of kin(world, card)) if (other.status === 'Active') set(world, other, 'ReportedLost');
    }),
  ),
  fault(
    'activate-the-whole-order',
    'cards.activate',
    10,
    'Activating a card activates each unused card of its order',
    (world) =>
      afterCard(world, 'cards.activate', (card) => {
        for (const other of world.cards)
          if (other.order === card.order && other.status === 'NotActivated') set(world, other, 'Active');
      }),
  ),
  fault(
    'wallet-of-the-next-one',
    'cards.markWalletProvisioned',
    10,
    'The next card is flagged as provisioned, too',
    (world) =>
      afterCard(world, 'cards.markWalletProvisioned', (card) => {
        const other = next(world, card);
        if (other) change(world, other, { provisioned: world.now() });
      }),
  ),
  fault(
    'unmark-its-relatives',
    'cards.unmarkFraud',
    10,
    'Unmarking fraud on a card unmarks it on its relatives',
    (world) =>
      afterCard(world, 'cards.unmarkFraud', (card) => {
        for (const other of kin(world, card)) if (other.status === 'FraudHold') set(world, other, 'Active');
      }),
  ),
  fault(
    'stock-activates-a-card',
    'portal.orderCards',
    10,
    'An order of stock activates the next unused card, though no request named it',
    (world) =>
      after(world, 'portal.orderCards', () => {
        const order = world.orders.at(-1);
        if (order?.instant)
          set(
            world,
            world.cards.find(({ status }) => status === 'NotActivated'),
            'Active',
          );
        return undefined;
      }),
  ),
  fault(
    'close-passes-its-balance-on',
    'cards.close',
    10,
    'Closing an account passes its balance to a relative',
    (world) =>
      afterCard(world, 'cards.close', (card) => {
        const heir = kin(world, card).find(({ status }) => status === 'Active');
        if (!heir) return;
        change(world, heir, { cents: heir.cents + card.cents });
        change(world, card, { cents: 0 });
      }),
  ),
];

/** What an operation does to its card besides. */
const besides: Fault[] = [
  fault('pin-frees-a-suspended-card', 'cards.setPin', 10, 'A new PIN frees a suspended card', (world) =>
    afterCard(world, 'cards.setPin', (card) => {
      if (card.status === 'OnHold') set(world, card, 'Active');
    }),
  ),
  fault('pin-locks-until-used', 'cards.setPin', 10, 'A new PIN suspends an active card', (world) =>
    afterCard(world, 'cards.setPin', (card) => {
      if (card.status === 'Active') set(world, card, 'OnHold');
    }),
  ),
  fault('token-frees-a-suspended-card', 'cards.createToken', 10, 'A temporary token frees a suspended card', (world) =>
    afterCard(world, 'cards.createToken', (card) => {
      if (card.status === 'OnHold') set(world, card, 'Active');
    }),
  ),
  fault('token-activates', 'cards.createToken', 10, 'A temporary token activates an unused card', (world) =>
    afterCard(world, 'cards.createToken', (card) => {
      if (card.status === 'NotActivated') set(world, card, 'Active');
    }),
  ),
  fault(
    'wallet-suspends-until-first-use',
    'cards.markWalletProvisioned',
    10,
    'A card that enters a wallet is suspended until its first use',
    (world) => afterCard(world, 'cards.markWalletProvisioned', (card) => set(world, card, 'OnHold')),
  ),
  fault(
    'balance-look-frees',
    'cards.getBalance',
    10,
    'Looking at the balance of a suspended card writes it back as Active',
    (world) =>
      afterCard(world, 'cards.getBalance', (card) => {
        if (card.status === 'OnHold') set(world, card, 'Active');
      }),
  ),
  fault(
    'transfer-frees-its-target',
    'cards.transfer',
    10,
    'A suspended card that receives money is Active again',
    (world) => {
      const { transferProblem } = world.rules;
      world.rules.transferProblem = (source, target, cents, body) =>
        target?.status === 'OnHold' && target !== source
          ? transferProblem(source, { ...target, status: 'Active' }, cents, body)
          : transferProblem(source, target, cents, body);
      after(world, 'cards.transfer', (call) => {
        const target = world.cards.find(({ identifier }) => identifier === bodyOf(call).targetCardIdentifier);
        if (target?.status === 'OnHold') set(world, target, 'Active');
        return undefined;
      });
    },
  ),
  fault(
    'transfer-parks-its-source',
    'cards.transfer',
    10,
    'A card that pays 5.00 or more is suspended for review',
    (world) =>
      afterCard(world, 'cards.transfer', (card, call) => {
        if (Number(bodyOf(call).amount) >= 5) set(world, card, 'OnHold');
      }),
  ),
  fault('lost-and-emptied', 'cards.markLost', 10, 'The balance of a card that is marked lost is gone', (world) =>
    afterCard(world, 'cards.markLost', (card) => change(world, card, { cents: 0 })),
  ),
  fault('reissued-and-emptied', 'cards.reissue', 10, 'The balance of a reprinted card is gone', (world) =>
    afterCard(world, 'cards.reissue', (card) => change(world, card, { cents: 0 })),
  ),
  fault(
    'suspended-and-emptied',
    'cards.suspend',
    28,
    'The balance of a suspended card is shown as 0, and written so',
    (world) => {
      const { balanceOf } = world.rules;
      world.rules.balanceOf = (card) => (card.status === 'OnHold' ? 0 : balanceOf(card));
    },
  ),
];

const AWAKE: [name: string, action: 'unsuspend' | 'activate', from: Status, wrong: string][] = [
  ['unsuspend-reopens-closed', 'unsuspend', 'AccountClosed', 'unsuspend reopens a closed account'],
  ['unsuspend-finds-lost', 'unsuspend', 'ReportedLost', 'unsuspend makes a lost card Active'],
  ['unsuspend-activates-unused', 'unsuspend', 'NotActivated', 'unsuspend makes an unused card Active'],
  ['unsuspend-forgives-fraud', 'unsuspend', 'FraudHold', 'unsuspend makes a card with reported fraud Active'],
  ['activate-reopens-closed', 'activate', 'AccountClosed', 'activate reopens a closed account'],
];

const wakes: Fault[] = AWAKE.map(([name, action, from, wrong]) =>
  fault(name, `cards.${action}`, 29, wrong, (world) => {
    const { allowed } = world.rules;
    world.rules.allowed = (card, asked) => allowed(card, asked) || (asked === action && card.status === from);
  }),
);

/** The work is done before anybody asks whether it may be. */
function doneThoughRefused(world: World, operation: string): void {
  before(world, operation, async (call, next) => {
    try {
      guard(world, { ...call });
    } catch {
      const card = world.cards.find(({ identifier }) => identifier === call.identifier);
      const action = operation === 'cards.suspend' ? 'suspend' : 'activate';
      if (card && world.rules.allowed(card, action)) world.rules.act(card, action);
    }
    return next();
  });
}

const refused: Fault[] = [
  fault(
    'suspended-without-a-token',
    'cards.suspend',
    17,
    'Who has no token gets 401, and the card is suspended all the same',
    (world) => doneThoughRefused(world, 'cards.suspend'),
  ),
  fault(
    'activated-without-a-token',
    'cards.activate',
    17,
    'Who has no token gets 401, and the card is activated all the same',
    (world) => doneThoughRefused(world, 'cards.activate'),
  ),
  fault(
    'foreign-card-credited',
    'cards.transfer',
    13,
    'A transfer to a card out of reach is refused, and is paid out there',
    (world) =>
      around(world, 'cards.transfer', async (call, next) => {
        const answer = await next();
        const { targetCardIdentifier, amount } = bodyOf(call);
        const target = world.cards.find(({ identifier }) => identifier === targetCardIdentifier);
        const source = world.rules.cardOf(call.client!, call.identifier);
        if (!source || !target || world.rules.reaches(call.client!, target.customer)) return answer;
        const cents = Math.round(Number(amount) * 100);
        change(world, source, { cents: source.cents - cents });
        change(world, target, { cents: target.cents + cents });
        return answer;
      }),
  ),
];

export const effects: Fault[] = [...spills, ...besides, ...wakes, ...refused];
