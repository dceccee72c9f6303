import type { Freedom } from '../core/changes.ts';
import { around, bodyOf, counter, dayCounter } from '../core/changes.ts';
import type { Action, Card, Fields, World } from '../core/model.ts';
import { change, Refusal } from '../core/model.ts';

const amounts = (world: World, limits: Fields) => {
  world.fixtures.cards.transferAmounts = limits;
};

/** One more reason to refuse a transfer, asked after all others. */
function limit(
  world: World,
  reason: (source: Card, target: Card, cents: number, body: Fields) => string | undefined,
): void {
  const { transferProblem } = world.rules;
  world.rules.transferProblem = (source, target, cents, body) => {
    const problem = transferProblem(source, target, cents, body);
    if (problem || !target) return problem;
    const text = reason(source, target, cents, body);
    return text === undefined ? undefined : new Refusal(400, 'amount', text, 'limit');
  };
}

function fee(world: World, payer: 'source' | 'target', cents: (moved: number) => number): void {
  const { move } = world.rules;
  world.rules.move = async (source, target, moved) => {
    await move(source, target, moved);
    const card = payer === 'source' ? source : target;
    change(world, card, { cents: card.cents - cents(moved) });
  };
}

function charge(world: World, action: Action, cents: number): void {
  const { act } = world.rules;
  world.rules.act = (card, name) => {
    act(card, name);
    if (name === action) change(world, card, { cents: Math.max(0, card.cents - cents) });
  };
}

const limits: Freedom[] = [
  {
    name: 'transfer-whole-units',
    rule: 'Transfers are of whole units, from 2 to 8',
    readings: [46, 48],
    apply(world) {
      amounts(world, { least: 2, most: 8, step: 1 });
      limit(world, (_source, _target, cents) =>
        cents % 100 !== 0 || cents < 200 || cents > 800 ? 'Whole units from 2 to 8' : undefined,
      );
    },
  },
  {
    name: 'transfer-three-and-more',
    rule: 'Less than 3.00 is not transferred',
    readings: [46, 48],
    apply(world) {
      amounts(world, { least: 3, most: 10, step: 0.01 });
      limit(world, (_source, _target, cents) => (cents < 300 ? '3.00 at least' : undefined));
    },
  },
  {
    name: 'transfer-with-a-reason',
    rule: 'A transfer says why it is made',
    readings: [46, 7],
    apply(world) {
      world.fixtures.cards.transferBody = { comment: 'wages' };
      limit(world, (_source, _target, _cents, body) => (body.comment ? undefined : 'Say why, in comment'));
    },
  },
  {
    name: 'transfer-comment-of-thirty',
    rule: 'A comment has thirty plain characters at most',
    readings: [46, 9],
    apply: (world) =>
      limit(world, (_source, _target, _cents, { comment }) =>
        comment === undefined || comment === null || /^[A-Za-z0-9 ]{0,30}$/.test(String(comment))
          ? undefined
          : 'Thirty plain characters',
      ),
  },
  {
    name: 'transfer-no-custom-fields',
    rule: 'Custom fields are a paid option of the program',
    readings: [46, 48],
    apply: (world) =>
      limit(world, (_source, _target, _cents, { customFields }) => (customFields ? 'Not in your plan' : undefined)),
  },
  {
    name: 'transfer-eight-a-card',
    rule: 'A card pays eight times a day',
    readings: [46, 47],
    apply(world) {
      const count = dayCounter(world);
      limit(world, ({ identifier }) => (count(identifier) > 8 ? 'Eight times a day' : undefined));
    },
  },
  {
    name: 'transfer-received-ten-a-day',
    rule: 'A card receives ten times a day',
    readings: [46, 47],
    apply(world) {
      const count = dayCounter(world);
      limit(world, (_source, { identifier }) => (count(identifier) > 10 ? 'Ten times a day' : undefined));
    },
  },
  {
    name: 'transfer-four-a-pair',
    rule: 'Between the same two cards money moves four times a day',
    readings: [46, 47],
    apply(world) {
      const count = dayCounter(world);
      limit(world, (source, target) =>
        count(
          [source, target]
            .map(({ identifier }) => identifier)
            .sort()
            .join(),
        ) > 4
          ? 'Four times a day'
          : undefined,
      );
    },
  },
  {
    name: 'transfer-rests-half-a-second',
    rule: 'A card rests half a second between two payments',
    readings: [46, 47],
    apply(world) {
      const paid = new Map<Card, number>();
      limit(world, (source) => {
        if (Date.now() - (paid.get(source) ?? 0) < 500) return 'A moment, please';
        paid.set(source, Date.now());
        return undefined;
      });
    },
  },
  {
    name: 'transfer-same-amount-once',
    rule: 'The same amount between the same cards within two minutes counts as a slip, and is refused',
    readings: [27, 46],
    apply(world) {
      const seen = new Map<string, number>();
      limit(world, (source, target, cents) => {
        const key = `${source.identifier}|${target.identifier}|${cents}`;
        if (world.now() - (seen.get(key) ?? 0) < 120_000) return 'You asked for this just now';
        seen.set(key, world.now());
        return undefined;
      });
    },
  },
  {
    name: 'transfer-keeps-two-on-the-card',
    rule: 'At least 2.00 stay on a card',
    readings: [27, 46],
    apply: (world) =>
      limit(world, (source, _target, cents) => (source.cents - cents < 200 ? '2.00 have to stay' : undefined)),
  },
  {
    name: 'transfer-thirty-a-day',
    rule: 'A card pays 30.00 a day at most',
    readings: [46, 47],
    apply(world) {
      const paid = new Map<string, number>();
      limit(world, ({ identifier }, _target, cents) => {
        const key = `${Math.floor(world.now() / 86_400_000)}|${identifier}`;
        const sum = (paid.get(key) ?? 0) + cents;
        if (sum > 3000) return '30.00 a day';
        paid.set(key, sum);
        return undefined;
      });
    },
  },
];

const fees: Freedom[] = [
  {
    name: 'fee-a-quarter-from-the-payer',
    rule: 'A transfer costs its payer 0.25',
    readings: [27],
    apply: (world) => fee(world, 'source', () => 25),
  },
  {
    name: 'fee-ten-cents-from-the-receiver',
    rule: 'A transfer costs its receiver 0.10',
    readings: [27],
    apply: (world) => fee(world, 'target', () => 10),
  },
  {
    name: 'fee-both-sides',
    rule: 'A transfer costs the payer 0.15 and the receiver 0.05',
    readings: [27],
    apply(world) {
      fee(world, 'source', () => 15);
      fee(world, 'target', () => 5);
    },
  },
  {
    name: 'fee-one-percent',
    rule: 'A transfer costs its payer 1 %, and 0.10 at least',
    readings: [27],
    apply: (world) => fee(world, 'source', (moved) => Math.max(10, Math.round(moved / 100))),
  },
  {
    name: 'fee-for-a-pin',
    rule: 'A new PIN costs 0.50',
    readings: [10],
    apply: (world) => charge(world, 'pin', 50),
  },
  {
    name: 'fee-for-a-reissue',
    rule: 'A reprinted card costs 2.50',
    readings: [10],
    apply: (world) => charge(world, 'reissue', 250),
  },
  {
    name: 'fee-for-the-wallet',
    rule: 'Each entry into a wallet costs 0.30',
    readings: [10],
    apply: (world) => charge(world, 'wallet-provisioned', 30),
  },
];

const decline = (world: World, patch: Fields) =>
  around(world, 'cards.transfer', async (call, next) => {
    const answer = await next();
    if (answer.status < 400 || answer.status === 500 || !bodyOf(call).targetCardIdentifier) return answer;
    if (typeof bodyOf(call).amount !== 'number' || answer.status === 404) return answer;
    return { status: 200, body: { ...patch, amount: 0, senderIdentifier: call.identifier } };
  });

const answers: Freedom[] = [
  {
    name: 'transfer-declined-by-code',
    rule: 'A transfer that is understood and refused answers 200 with an errorCode',
    readings: [27],
    apply: (world) => decline(world, { errorCode: 'T-51', errorMessage: 'Declined' }),
  },
  {
    name: 'transfer-declined-by-status',
    rule: 'A transfer that is understood and refused answers 200 with the status Declined',
    readings: [27],
    apply: (world) => decline(world, { status: 'Declined' }),
  },
  {
    name: 'transfer-overdraft-of-twenty',
    rule: 'A card may be overdrawn by 20.00',
    readings: [27],
    apply(world) {
      const { transferProblem } = world.rules;
      world.rules.transferProblem = (source, target, cents, body) => {
        const problem = transferProblem(source, target, cents, body);
        return problem?.code === 'shortOfFunds' && source.cents + 2000 >= cents ? undefined : problem;
      };
    },
  },
  {
    name: 'transfer-rounds-to-cents',
    rule: 'Fractions of a cent are rounded, on both sides alike',
    readings: [27],
    apply(world) {
      world.rules.cents = (amount) => Math.round(amount * 100);
    },
  },
  {
    name: 'transfer-of-nothing',
    rule: 'A transfer of nothing is taken and moves nothing',
    readings: [27],
    apply(world) {
      const { transferProblem } = world.rules;
      world.rules.transferProblem = (source, target, cents, body) => {
        const problem = transferProblem(source, target, cents, body);
        return cents === 0 && problem?.code === 'amountRange' ? undefined : problem;
      };
    },
  },
  {
    name: 'transfer-to-suspended-cards',
    rule: 'A suspended card may receive',
    readings: [28],
    apply(world) {
      const { transferProblem } = world.rules;
      world.rules.transferProblem = (source, target, cents, body) =>
        target?.status === 'OnHold' && target !== source
          ? transferProblem(source, { ...target, status: 'Active' }, cents, body)
          : transferProblem(source, target, cents, body);
    },
  },
  {
    name: 'transfer-says-little',
    rule: 'A transfer answers with its identifier and its date alone',
    readings: [27, 5],
    apply(world) {
      const count = counter();
      world.rules.transferView = () => ({
        identifier: `T${count('all')}`,
        creationDate: new Date(world.now()).toISOString().slice(0, 10),
      });
    },
  },
];

export const moneyFreedoms: Freedom[] = [...limits, ...fees, ...answers];
