/** Faults of transfers: how much moves, from where to where, and how often. */
import type { Choices } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { JsonObject } from '../json.ts';
import { onBody, onCards, onReply, overlook, sleep, succeeded, tally } from '../tools.ts';
import type { Card } from '../world.ts';
import { type Fault, instead, predicted, sentences } from './fault.ts';

const money = 'v3, POST transfer: moves funds from this card to the target card';

function spend(paid: (card: { cents: number }, cents: number) => number): Choices['debit'] {
  return (card, cents, x) => x.world.pay(card, -paid(card.facts, cents));
}

/** After so many transfers that are alike, a further one is answered without being made. */
function forgets(c: Choices, after: number): void {
  const made = new Map<string, number>();
  onReply(c, 'cards.transfer', (reply, { card, target, cents, world, content }) => {
    if (!succeeded(reply)) return;
    const key = `${card!.n} ${target!.n} ${cents} ${content.comment ?? ''}`;
    const count = made.get(key) ?? 0;
    made.set(key, count + 1);
    if (count < after) return;
    world.pay(card!, cents);
    world.pay(target!, -cents);
  });
}

const cents = 'v3, POST transfer: moves funds from this card to the target card';

/** Moves another amount than was asked for. */
function moving(c: Choices, changed: (cents: number, x: Exchange) => number): void {
  c.between.push((x) => {
    if (x.operation === 'cards.transfer') x.cents = changed(x.cents, x);
  });
}

const sumOf = ({ world }: Exchange, { owner }: Card) =>
  world.cards.filter((card) => card.owner === owner).reduce((sum, { facts }) => sum + facts.cents, 0);

export const transferFaults: Fault[] = predicted([
  [
    'whole-balance-leaves-a-cent',
    9,
    'cards.transfer',
    'cards.transfer.conserves-money',
    money,
    (c) => void Object.assign(c, { debit: spend((card, cents) => (card.cents === cents ? cents - 1 : cents)) }),
  ],
  [
    'cents-are-not-debited',
    9,
    'cards.transfer',
    'cards.transfer.conserves-money',
    money,
    (c) => void Object.assign(c, { debit: spend((_card, cents) => cents - (cents % 100)) }),
  ],
  [
    'every-tenth-transfer-costs-a-cent',
    10,
    'cards.transfer',
    'cards.transfer.moves-amount',
    money,
    (c) => {
      let count = 0;
      c.debit = (card, cents, x) => {
        count += 1;
        x.world.pay(card, -cents - (count % 10 === 0 ? 1 : 0));
      };
    },
  ],
  [
    'amounts-of-ten-and-more-cost-one',
    9,
    'cards.transfer',
    'cards.transfer.moves-amount',
    money,
    (c) => void Object.assign(c, { debit: spend((_card, cents) => (cents >= 1000 ? cents + 100 : cents)) }),
  ],
  [
    'money-goes-to-the-target-of-the-transfer-before',
    6,
    'cards.transfer',
    'cards.transfer.moves-amount',
    money,
    (c) => {
      const last = new Map<unknown, Exchange['target']>();
      onReply(c, 'cards.transfer', (reply, x) => {
        if (!succeeded(reply)) return;
        const before = last.get(x.card);
        if (before && before !== x.target) {
          x.world.pay(x.target!, -x.cents);
          x.world.pay(before, x.cents);
        }
        last.set(x.card, x.target);
      });
    },
  ],
  ['same-transfer-again-is-not-made', 6, 'cards.transfer', 'cards.transfer.repeated', money, (c) => forgets(c, 1)],
  [
    'transfers-at-once-in-opposite-directions-lose-one',
    3,
    'cards.transfer',
    'cards.transfer.simultaneous',
    money,
    (c) => {
      const under = new Set<string>();
      c.between.push(async (x) => {
        if (x.operation !== 'cards.transfer') return;
        const way = `${x.card!.n} ${x.target!.n}`;
        const isCrossed = under.has(`${x.target!.n} ${x.card!.n}`);
        under.add(way);
        await sleep(40);
        under.delete(way);
        if (isCrossed) x.cents = 0;
      });
    },
    'opposite directions at the same moment are not tried',
  ],
  [
    'transfers-at-once-from-two-cards-credit-one',
    3,
    'cards.transfer',
    'cards.transfer.simultaneous',
    money,
    (c) => {
      const under = new Map<number, number>();
      c.between.push(async (x) => {
        if (x.operation !== 'cards.transfer') return;
        const other = under.get(x.target!.n);
        under.set(x.target!.n, x.card!.n);
        await sleep(40);
        under.delete(x.target!.n);
        if (other !== undefined && other !== x.card!.n) x.world.pay(x.target!, -x.cents);
      });
    },
    'needs a third card',
  ],
  [
    'half-a-cent-is-credited-as-a-whole-one',
    9,
    'cards.transfer',
    'cards.transfer.conserves-money',
    money,
    (c) => {
      overlook(c, 'cards.transfer', 'bad-amount', ({ content }) => Number(content.amount) > 0);
      c.debit = (card, cents, x) =>
        x.world.pay(card, -Math.min(cents, Math.floor(Number(x.content.amount) * 100 + 1e-6)));
    },
  ],
  [
    'a-cent-below-zero-is-taken-from-the-target',
    9,
    'cards.transfer',
    'cards.transfer.negative-amount',
    money,
    (c) => overlook(c, 'cards.transfer', 'bad-amount', ({ content }) => Number(content.amount) === -0.01),
  ],
  [
    'five-custom-fields-answer-500',
    9,
    'cards.transfer',
    'cards.transfer.status',
    'v3, cardTransferFunds: customFields are strings customField1 to customField5',
    (c) =>
      instead(c, 'cards.transfer', (x) => {
        const { customFields } = x.json();
        return Object.keys((customFields ?? {}) as JsonObject).length > 4 ? { status: 500, body: [] } : undefined;
      }),
  ],
  [
    'comment-of-256-characters-answers-500',
    9,
    'cards.transfer',
    'cards.transfer.status',
    'v3, cardTransferFunds: comment is a string',
    (c) =>
      instead(c, 'cards.transfer', (x) =>
        String(x.json().comment ?? '').length === 256 ? { status: 500, body: [] } : undefined,
      ),
  ],
  [
    'comment-is-echoed-in-latin-1',
    9,
    'cards.transfer',
    'cards.transfer.shape',
    'v3, Resources: all bodies are JSON',
    (c) =>
      onReply(c, 'cards.transfer', (reply) => {
        const text = JSON.stringify(reply.body ?? {});
        if (succeeded(reply) && /[\u0080-\u00ff]/.test(text)) reply.bytes = Buffer.from(text, 'latin1');
      }),
  ],
  [
    'answered-amount-is-that-of-the-transfer-before',
    12,
    'cards.transfer',
    'cards.transfer.amount-answered',
    money,
    (c) => {
      let before: JsonObject[string];
      onBody(c, 'cards.transfer', (body) => {
        [body.amount, before] = [before ?? body.amount, body.amount];
      });
    },
  ],
  [
    'suspended-cards-spend-the-second-time',
    7,
    'cards.transfer',
    'cards.suspend.stops-payments',
    sentences.suspended,
    (c) => {
      const asked = new Map<unknown, number>();
      overlook(c, 'cards.transfer', 'cannot-spend', ({ card }) => {
        asked.set(card, (asked.get(card) ?? 0) + 1);
        return asked.get(card)! > 1;
      });
    },
  ],
  [
    'suspended-cards-spend-what-they-paid-before',
    7,
    'cards.transfer',
    'cards.suspend.stops-payments',
    sentences.suspended,
    (c) => {
      const paid = tally(c, 'cards.transfer', ({ card, target, cents }) => `${card?.n} ${target?.n} ${cents}`);
      overlook(c, 'cards.transfer', 'cannot-spend', (x) => x.card!.facts.state === 'suspended' && paid(x) > 0);
    },
  ],
  [
    'balances-are-whole-from-a-hundred-on',
    9,
    'cards.getBalance',
    'cards.transfer.moves-amount',
    'v3, GET balance: the current balance',
    (c) =>
      onBody(c, 'cards.getBalance', (body) => {
        if (Number(body.balance) >= 100) body.balance = Math.floor(Number(body.balance));
      }),
  ],
  [
    'transfers-from-five-on-move-five',
    9,
    'cards.transfer',
    'cards.transfer.moves-amount',
    cents,
    (c) => moving(c, (sum) => (sum > 500 && sum <= 1000 ? 500 : sum)),
  ],
  [
    'transfers-of-seven-to-nine-move-one-less',
    9,
    'cards.transfer',
    'cards.transfer.moves-amount',
    cents,
    (c) => moving(c, (sum) => (sum >= 700 && sum < 1000 ? sum - 100 : sum)),
  ],
  [
    'transfers-with-a-comment-move-twice',
    2,
    'cards.transfer',
    'cards.transfer.moves-amount',
    cents,
    (c) => moving(c, (sum, { content }) => (content.comment ? 2 * sum : sum)),
  ],
  [
    'transfers-within-a-customer-are-not-debited',
    5,
    'cards.transfer',
    'cards.transfer.conserves-money',
    cents,
    (c) => {
      const usual = c.debit;
      c.debit = (card, sum, x) => {
        if (card.owner !== x.target?.owner) usual(card, sum, x);
      };
    },
    'two cards of the pool of one customer',
  ],
  [
    'first-card-of-a-customer-is-paid',
    5,
    'cards.transfer',
    'cards.transfer.moves-amount',
    cents,
    (c) =>
      onReply(c, 'cards.transfer', (reply, x) => {
        const first = x.world.cards.find(({ owner }) => owner === x.target?.owner)!;
        if (!succeeded(reply) || !x.target || first === x.target) return;
        x.world.pay(x.target, -x.cents);
        x.world.pay(first, x.cents);
      }),
  ],
  [
    'balances-are-those-of-the-customer',
    12,
    'cards.getBalance',
    'cards.transfer.moves-amount',
    'v3, GET balance: the current balance of the card',
    (c) => {
      onBody(c, 'cards.getBalance', (body, x) => {
        body.balance = sumOf(x, x.card!) / 100;
      });
      onCards(
        c,
        (record, x) => {
          if (x.card) record.balance = sumOf(x, x.card) / 100;
        },
        'cards.get',
      );
    },
    'shows where two cards of one customer pay each other',
  ],
  [
    'balance-shows-the-transfer-before',
    6,
    'cards.getBalance',
    'cards.transfer.moves-amount',
    'v3, GET balance: the current balance',
    (c) => {
      const before = new Map<Card, number>();
      c.between.push((x) => {
        if (x.operation !== 'cards.transfer') return;
        for (const card of [x.card, x.target]) if (card) before.set(card, card.facts.cents);
      });
      onBody(c, 'cards.getBalance', (body, { card }) => {
        if (card && before.has(card)) body.balance = before.get(card)! / 100;
      });
    },
  ],
  [
    'no-amount-beside-a-comment-moves-one',
    2,
    'cards.transfer',
    'cards.transfer.no-amount',
    'v3, POST transfer: JSON body cardTransferFunds, amount',
    (c) =>
      c.before.push((x) => {
        if (x.operation !== 'cards.transfer' || !x.text.includes('"comment"') || x.text.includes('"amount"'))
          return undefined;
        Object.assign(x, { text: x.text.replace('{', '{"amount":1,') });
        return undefined;
      }),
  ],
  [
    'no-target-beside-a-comment-pays-the-card-before',
    2,
    'cards.transfer',
    'cards.transfer.no-target',
    'v3, POST transfer: JSON body cardTransferFunds, targetCardIdentifier',
    (c) => {
      let last: string | undefined;
      c.before.push((x) => {
        if (x.operation !== 'cards.transfer') return undefined;
        const target = /"targetCardIdentifier"\s*:\s*"([^"]+)"/.exec(x.text)?.[1];
        if (!target && last && x.text.includes('"comment"'))
          Object.assign(x, { text: x.text.replace('{', `{"targetCardIdentifier":${JSON.stringify(last)},`) });
        last = target ?? last;
        return undefined;
      });
    },
  ],
]);
