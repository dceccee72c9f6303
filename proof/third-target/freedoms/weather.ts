import type { Freedom } from '../core/changes.ts';
import { before, sleep } from '../core/changes.ts';
import type { Answer, Call, World } from '../core/model.ts';
import { Refusal } from '../core/model.ts';

const EACH = /./;
const READING =
  /^(users\.(list|get)|cards\.(list|get|getBalance|getStatus|listRelated)|portal\.(getCustomerList|getCustomerHierarchy|getShipping.*|getCustomerProgramList|getATMLocation))$/;

function busy(world: World, call: Call, status: number, headers: Record<string, string> = {}): Answer {
  const refusal = new Refusal(status, 'server', 'Busy, please try again', 'busy');
  const answer = call.side === 'portal' ? world.rules.portalError(refusal) : world.rules.v3Errors(refusal);
  return { ...answer, headers };
}

/** Each so manieth request of a kind meets something; never two in a row. */
function now(
  world: World,
  place: RegExp | string,
  every: number,
  meets: (call: Call, next: () => Promise<Answer>) => Answer | Promise<Answer>,
): void {
  let count = 0;
  before(world, place, (call, next) => {
    count += 1;
    return count % every === 0 ? meets(call, next) : next();
  });
}

/** At most so many requests a second. */
function rate(world: World, most: number, refusal: (call: Call) => Answer): void {
  let times: number[] = [];
  before(world, EACH, (call, next) => {
    times = times.filter((time) => Date.now() - time < 1000);
    if (times.length >= most) return refusal(call);
    times.push(Date.now());
    return next();
  });
}

const RETRY = { 'retry-after': '1' };

export const weather: Freedom[] = [
  {
    name: 'unavailable-each-sixtieth',
    rule: 'The gateway restarts now and then: each sixtieth request gets 503 with Retry-After',
    readings: [9, 51],
    apply: (world) => now(world, EACH, 60, (call) => busy(world, call, 503, RETRY)),
  },
  {
    name: 'unavailable-each-fiftieth-reading',
    rule: 'Each fiftieth reading gets 503 without Retry-After',
    readings: [9, 51],
    apply: (world) => now(world, READING, 50, (call) => busy(world, call, 503)),
  },
  {
    name: 'bad-gateway-each-seventieth-reading',
    rule: 'Each seventieth reading gets 502 from a gateway that lost its server',
    readings: [9],
    apply: (world) =>
      now(world, READING, 70, () => ({
        status: 502,
        headers: { 'content-type': 'text/html' },
        raw: '<h1>Bad gateway</h1>',
      })),
  },
  {
    name: 'unavailable-each-ninth-order',
    rule: 'Each ninth order finds the order desk closed, 503 with Retry-After, and nothing is ordered',
    readings: [9, 51],
    apply: (world) => now(world, 'portal.orderCards', 9, (call) => busy(world, call, 503, RETRY)),
  },
  {
    name: 'unavailable-each-seventh-transfer',
    rule: 'Each seventh transfer gets 503 and moves nothing',
    readings: [9, 51],
    apply: (world) => now(world, 'cards.transfer', 7, (call) => busy(world, call, 503)),
  },
  {
    name: 'unavailable-for-two-seconds-at-first',
    rule: 'The server is still starting for two seconds: 503',
    readings: [9],
    apply(world) {
      const since = Date.now();
      before(world, EACH, (call, next) => (Date.now() - since < 2000 ? busy(world, call, 503, RETRY) : next()));
    },
  },
  {
    name: 'throttled-forty-a-second-429',
    rule: 'Forty requests a second; more get 429 with Retry-After',
    readings: [9, 51],
    apply: (world) => rate(world, 40, (call) => busy(world, call, 429, RETRY)),
  },
  {
    name: 'throttled-forty-a-second-403',
    rule: 'Forty requests a second; more get 403 with Retry-After',
    readings: [51],
    apply: (world) => rate(world, 40, (call) => busy(world, call, 403, RETRY)),
  },
  {
    name: 'throttled-fifty-a-second-503-dated',
    rule: 'Fifty requests a second; more get 503 with Retry-After as a date',
    readings: [51],
    apply: (world) =>
      rate(world, 50, (call) => busy(world, call, 503, { 'retry-after': new Date(world.now() + 1500).toUTCString() })),
  },
  {
    name: 'lost-each-eightieth-reading',
    rule: 'The line breaks now and then: each eightieth reading gets no answer',
    readings: [9, 51],
    apply: (world) => now(world, READING, 80, () => ({ status: 0, lost: true })),
  },
  {
    name: 'lost-first-answer-of-logout',
    rule: 'The answer to each third logout is lost, though the session has ended',
    readings: [51],
    apply: (world) =>
      now(world, 'portal.logout', 3, async (_call, next) => {
        await next();
        return { status: 0, lost: true };
      }),
  },
  {
    name: 'lost-answer-of-a-suspension',
    rule: 'The answer to each fifth suspension is lost, though the card is suspended',
    readings: [50, 51],
    apply: (world) =>
      now(world, 'cards.suspend', 5, async (_call, next) => {
        await next();
        return { status: 0, lost: true };
      }),
  },
  {
    name: 'lost-answer-of-an-order',
    rule: 'The answer to each eighth order is lost, though the order was taken',
    readings: [51],
    apply: (world) =>
      now(world, 'portal.orderCards', 8, async (_call, next) => {
        await next();
        return { status: 0, lost: true };
      }),
  },
  {
    name: 'connection-closed-each-time',
    rule: 'Each answer closes its connection',
    readings: [9],
    apply: (world) =>
      before(world, EACH, async (_call, next) => {
        const answer = await next();
        return { ...answer, headers: { ...answer.headers, connection: 'close' } };
      }),
  },
  {
    name: 'slow-by-a-quarter-second',
    rule: 'Each answer takes a quarter of a second, and each tenth 0.8 seconds',
    readings: [9],
    apply(world) {
      let count = 0;
      before(world, EACH, async (_call, next) => {
        count += 1;
        await sleep(count % 10 === 0 ? 800 : 250);
        return next();
      });
    },
  },
];
