import type { Fault } from '../core/changes.ts';
import { around, bodyOf, faultsOf, sleep } from '../core/changes.ts';
import type { Card, Fields, Refusal, World } from '../core/model.ts';
import { change } from '../core/model.ts';

const fault = faultsOf('money');

const add = (world: World, card: Card, cents: number) => change(world, card, { cents: card.cents + cents });

type Parts = [from: number, to: number] | undefined;

/** What a transfer moves: so much from the source, so much to the target. */
function moves(world: World, parts: (source: Card, target: Card, cents: number, body: Fields) => Parts): void {
  let asked: Fields = {};
  const { move, transferProblem } = world.rules;
  world.rules.transferProblem = (source, target, cents, body) => {
    asked = body;
    return transferProblem(source, target, cents, body);
  };
  world.rules.move = (source, target, cents) => {
    const other = parts(source, target, cents, asked);
    if (!other) return move(source, target, cents);
    add(world, source, -other[0]);
    add(world, target, other[1]);
  };
}

/** A refusal of a transfer that is not made. */
function lets(
  world: World,
  which: (problem: Refusal, source: Card, target: Card | undefined, cents: number) => boolean,
): void {
  const { transferProblem } = world.rules;
  world.rules.transferProblem = (source, target, cents, body) => {
    const problem = transferProblem(source, target, cents, body);
    return problem && target && which(problem, source, target, cents) ? undefined : problem;
  };
}

/** A transfer that is refused and has an effect all the same. */
function refusedBut(
  world: World,
  which: (problem: Refusal) => boolean,
  does: (source: Card, target: Card | undefined, cents: number) => void,
): void {
  const { transferProblem } = world.rules;
  world.rules.transferProblem = (source, target, cents, body) => {
    const problem = transferProblem(source, target, cents, body);
    if (problem && which(problem)) does(source, target, cents);
    return problem;
  };
}

const paysFrom = (world: World, status: Card['status']) => {
  const { transferProblem } = world.rules;
  world.rules.transferProblem = (source, target, cents, body) =>
    source.status === status && target !== source
      ? transferProblem({ ...source, status: 'Active' }, target, cents, body)
      : transferProblem(source, target, cents, body);
};

const takes = (world: World, status: Card['status']) => {
  const { transferProblem } = world.rules;
  world.rules.transferProblem = (source, target, cents, body) =>
    target?.status === status && target !== source
      ? transferProblem(source, { ...target, status: 'Active' }, cents, body)
      : transferProblem(source, target, cents, body);
};

const amounts: Fault[] = [
  fault(
    'transfer-partial-above-five',
    'cards.transfer',
    27,
    'Of more than 5.00, 5.00 are moved, and the answer says so',
    (world) => {
      const { move, transferView } = world.rules;
      world.rules.move = (source, target, cents) => move(source, target, Math.min(cents, 500));
      world.rules.transferView = (source, target, cents, body) => ({
        ...transferView(source, target, Math.min(cents, 500), body),
        status: cents > 500 ? 'PartlyCompleted' : 'Completed',
      });
    },
  ),
  fault(
    'cents-cut-on-one-side',
    'cards.transfer',
    27,
    'The target gains what is left of amount * 100 when it is cut: 1.15 gives 1.14',
    (world) => moves(world, (_source, _target, cents, body) => [cents, Math.floor(Number(body.amount) * 100)]),
  ),
  fault(
    'cents-dropped-above-nine',
    'cards.transfer',
    27,
    'Of amounts of 9.00 and more the target gains whole units',
    (world) =>
      moves(world, (_source, _target, cents) =>
        cents >= 900 && cents % 100 > 0 ? [cents, cents - (cents % 100)] : undefined,
      ),
  ),
  fault(
    'single-digit-of-cents',
    'cards.transfer',
    27,
    'Amounts with cents below ten lose the zero: 2.05 takes 2.50 from the source',
    (world) =>
      moves(world, (_source, _target, cents) => {
        const small = cents % 100;
        return small > 0 && small < 10 ? [cents - small + small * 10, cents] : undefined;
      }),
  ),
  fault(
    'half-a-cent-made',
    'cards.transfer',
    27,
    'Of a fraction of a cent the source loses the lower and the target gains the upper cent',
    (world) => {
      world.rules.cents = (amount) => Math.round(amount * 100);
      moves(world, (_source, _target, cents, body) => {
        const asked = Number(body.amount) * 100;
        return Math.abs(asked - cents) > 1e-6 ? [Math.floor(asked), Math.ceil(asked)] : undefined;
      });
    },
  ),
  fault(
    'nothing-moves-a-unit',
    'cards.transfer',
    27,
    'A transfer of 0 takes the least amount, 1.00, from the source',
    (world) => {
      lets(world, (problem, _source, _target, cents) => problem.code === 'amountRange' && cents === 0);
      moves(world, (_source, _target, cents) => (cents === 0 ? [100, 0] : undefined));
    },
  ),
  fault('negative-draws-from-the-target', 'cards.transfer', 27, 'A negative amount draws from the target', (world) =>
    lets(world, (problem, source, target, cents) => problem.code === 'amountRange' && cents < 0 && target !== source),
  ),
  fault(
    'no-amount-is-the-last-amount',
    'cards.transfer',
    27,
    'A transfer without amount moves what was moved last',
    (world) => {
      let last: unknown;
      around(world, 'cards.transfer', (call, next) => {
        const body = bodyOf(call);
        if (typeof body.amount === 'number') last = body.amount;
        else if (last !== undefined && body.amount === undefined && call.body !== undefined)
          call.body = { ...body, amount: last };
        return next();
      });
    },
  ),
  fault(
    'too-much-takes-all-and-gives-more',
    'cards.transfer',
    27,
    'More than the balance is given whole, and taken as far as it goes',
    (world) => {
      lets(world, (problem) => problem.code === 'shortOfFunds');
      moves(world, (source, _target, cents) => (cents > source.cents ? [source.cents, cents] : undefined));
    },
  ),
  fault(
    'too-much-refused-and-given',
    'cards.transfer',
    27,
    'More than the balance is refused, and the target is credited all the same',
    (world) =>
      refusedBut(
        world,
        ({ code }) => code === 'shortOfFunds',
        (_source, target, cents) => target && add(world, target, Math.min(cents, 500)),
      ),
  ),
  fault('answer-in-cents', 'cards.transfer', 27, 'The amount of the answer is in cents', (world) => {
    const { transferView } = world.rules;
    world.rules.transferView = (...asked) => ({ ...transferView(...asked), amount: asked[2] });
  }),
  fault(
    'whole-balance-leaves-a-cent',
    'cards.transfer',
    27,
    'Who moves the whole balance gives a cent less than it loses',
    (world) => moves(world, (source, _target, cents) => (cents === source.cents ? [cents, cents - 1] : undefined)),
  ),
];

const pairs: Fault[] = [
  fault('itself-doubles', 'cards.transfer', 27, 'A transfer from a card to itself adds the amount', (world) => {
    lets(world, (_problem, source, target) => source === target && source.status === 'Active');
    const { move } = world.rules;
    world.rules.move = (source, target, cents) =>
      source === target ? add(world, source, cents) : move(source, target, cents);
  }),
  fault(
    'unknown-target-takes-it',
    'cards.transfer',
    27,
    'A transfer to an unknown target is refused once the source has paid',
    (world) =>
      refusedBut(
        world,
        ({ code }) => code === 'unknownTarget',
        (source, _target, cents) => source.status === 'Active' && cents > 0 && add(world, source, -cents),
      ),
  ),
  fault('relatives-share-a-ledger', 'cards.transfer', 27, 'Between relatives the source is not charged', (world) =>
    moves(world, (source, target, cents) => (source.family === target.family ? [0, cents] : undefined)),
  ),
  fault(
    'back-again-is-a-reversal',
    'cards.transfer',
    27,
    'The same amount back within a minute counts as a reversal, which is answered and not booked',
    (world) => {
      let last: { source: Card; target: Card; cents: number } | undefined;
      moves(world, (source, target, cents) => {
        const back = last?.source === target && last.target === source && last.cents === cents;
        last = back ? undefined : { source, target, cents };
        return back ? [0, 0] : undefined;
      });
    },
  ),
  fault(
    'other-branches-pay-twice',
    'cards.transfer',
    27,
    'Between cards of two branches the source is charged on both books',
    (world) =>
      moves(world, (source, target, cents) =>
        source.customer.parent !== target.customer.parent ? [2 * cents, cents] : undefined,
      ),
  ),
  fault('in-the-wallet-not-credited', 'cards.transfer', 27, 'A card in a wallet is not credited', (world) =>
    moves(world, (_source, target, cents) => (target.provisioned !== undefined ? [cents, 0] : undefined)),
  ),
];

const states: Fault[] = [
  fault('suspended-pays', 'cards.transfer', 28, 'A suspended card pays', (world) => paysFrom(world, 'OnHold')),
  fault('closed-pays', 'cards.transfer', 29, 'A closed account pays', (world) => paysFrom(world, 'AccountClosed')),
  fault(
    'to-closed-is-lost',
    'cards.transfer',
    28,
    'Money sent to a closed account leaves and arrives nowhere',
    (world) => {
      takes(world, 'AccountClosed');
      moves(world, (_source, target, cents) => (target.status === 'AccountClosed' ? [cents, 0] : undefined));
    },
  ),
  fault('to-lost-is-lost', 'cards.transfer', 28, 'Money sent to a lost card leaves and arrives nowhere', (world) => {
    takes(world, 'ReportedLost');
    moves(world, (_source, target, cents) => (target.status === 'ReportedLost' ? [cents, 0] : undefined));
  }),
  fault(
    'suspended-refused-and-charged',
    'cards.transfer',
    28,
    'A suspended card is refused after it was charged',
    (world) =>
      refusedBut(
        world,
        ({ code }) => code === 'cardState',
        (source, _target, cents) => source.status === 'OnHold' && add(world, source, -cents),
      ),
  ),
  fault(
    'freed-does-not-pay',
    'cards.transfer',
    28,
    'A card that was suspended answers and moves nothing, though it is free again',
    (world) => {
      const held = new Set<Card>();
      const { act } = world.rules;
      world.rules.act = (card, action) => {
        if (action === 'suspend') held.add(card);
        act(card, action);
      };
      moves(world, (source) => (held.has(source) ? [0, 0] : undefined));
    },
  ),
  fault(
    'freed-is-not-credited',
    'cards.transfer',
    27,
    'A card that was suspended and freed loses what it receives',
    (world) => {
      const held = new Set<Card>();
      const { act } = world.rules;
      world.rules.act = (card, action) => {
        if (action === 'unsuspend') held.add(card);
        act(card, action);
      };
      moves(world, (_source, target, cents) => (held.has(target) ? [cents, 0] : undefined));
    },
  ),
];

/** Balances are read, something is waited for, and then they are written. */
function slowly(world: World, source: boolean, target: boolean): void {
  world.rules.move = async (from, to, cents) => {
    const [left, right] = [from.cents - cents, to.cents + cents];
    if (!source) add(world, from, -cents);
    if (!target) add(world, to, cents);
    await sleep(120);
    if (source) change(world, from, { cents: left });
    if (target) change(world, to, { cents: right });
  };
}

const together: Fault[] = [
  fault(
    'two-from-one-lose-one',
    'cards.transfer',
    27,
    'Of two transfers from one card at once only one is charged',
    (world) => slowly(world, true, false),
  ),
  fault('two-to-one-lose-one', 'cards.transfer', 27, 'Of two transfers to one card at once only one arrives', (world) =>
    slowly(world, false, true),
  ),
  fault(
    'crossing-takes-no-notice',
    'cards.transfer',
    27,
    'Two transfers that cross write the balances they read',
    (world) => slowly(world, true, true),
  ),
  fault(
    'two-at-once-merged',
    'cards.transfer',
    27,
    'A second transfer between the same cards while the first runs gets its answer and moves nothing',
    (world) => {
      const running = new Set<string>();
      const { move } = world.rules;
      world.rules.move = async (source, target, cents) => {
        const pair = `${source.identifier}|${target.identifier}`;
        if (running.has(pair)) return;
        running.add(pair);
        await sleep(100);
        await move(source, target, cents);
        running.delete(pair);
      };
    },
  ),
  fault(
    'again-within-a-minute-moves-nothing',
    'cards.transfer',
    27,
    'The same transfer within a minute answers success and moves nothing',
    (world) => {
      const seen = new Map<string, number>();
      moves(world, (source, target, cents) => {
        const key = [source.identifier, target.identifier, cents].join('|');
        const again = world.now() - (seen.get(key) ?? 0) < 60_000;
        seen.set(key, world.now());
        return again ? [0, 0] : undefined;
      });
    },
  ),
  fault(
    'comment-books-a-second-line',
    'cards.transfer',
    27,
    'A transfer with a comment and custom fields is booked twice at the source',
    (world) =>
      moves(world, (_source, _target, cents, body) =>
        body.comment && body.customFields ? [2 * cents, cents] : undefined,
      ),
  ),
];

export const money: Fault[] = [...amounts, ...pairs, ...states, ...together];
