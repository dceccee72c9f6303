import type { Answer, Call, Card, Fields, Layer, World } from './model.ts';
import { isObject } from './model.ts';

export const KINDS = [
  'forms',
  'odd values',
  'directions',
  'sessions',
  'effects',
  'caches',
  'money',
  'asked once',
  'ordinary',
] as const;

export interface Freedom {
  name: string;
  /** The rule in the words of a vendor. */
  rule: string;
  /** The readings that permit it. */
  readings: number[];
  apply(world: World): void;
}

export interface Fault {
  name: string;
  kind: (typeof KINDS)[number];
  operation: string;
  /** The reading that makes it a must. */
  reading: number;
  /** What is wrong. */
  wrong: string;
  apply(world: World): void;
}

type Place = string | RegExp;

const covers = (place: Place) => (operation: string) =>
  typeof place === 'string' ? place === operation : place.test(operation);

/** Puts a layer around what an operation does once the request is let in. */
export function around(world: World, place: Place, layer: Layer): void {
  world.inner.push({ covers: covers(place), layer });
}

/** Puts a layer in front of the guard. */
export function before(world: World, place: Place, layer: Layer): void {
  world.outer.push({ covers: covers(place), layer });
}

/** Does something after an operation succeeded; may return another answer. */
export function after(world: World, place: Place, then: (call: Call, answer: Answer) => Answer | undefined): void {
  around(world, place, async (call, next) => {
    const answer = await next();
    return answer.status < 300 ? (then(call, answer) ?? answer) : answer;
  });
}

/** Does something after an operation on a card succeeded. */
export function afterCard(world: World, place: Place, then: (card: Card, call: Call) => void): void {
  after(world, place, (call) => {
    const card = world.cards.find(({ identifier }) => identifier === call.identifier);
    if (card) then(card, call);
    return undefined;
  });
}

/** Changes the members of the answer's body. */
export function members(answer: Answer, patch: Fields): Answer {
  return { ...answer, body: { ...(answer.body as Fields), ...patch } };
}

/** The body of a request, or an empty object. */
export function bodyOf(call: Call): Fields {
  return isObject(call.body) ? call.body : {};
}

/** Counts per key. */
export function counter(): (key: unknown) => number {
  const counts = new Map<unknown, number>();
  return (key) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  };
}

/** Counts per key and day of the target's clock. */
export function dayCounter(world: World): (key: string) => number {
  const count = counter();
  return (key) => count(`${Math.floor(world.now() / 86_400_000)}|${key}`);
}

export const sleep = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds));

/** Writes a freedom in a few lines. */
export function freedom(name: string, rule: string, readings: number[], apply: Freedom['apply']): Freedom {
  return { name, rule, readings, apply };
}

type FaultOfKind = (name: string, operation: string, reading: number, wrong: string, apply: Fault['apply']) => Fault;

/** Writes the faults of one kind, a line or a few each. */
export function faultsOf(kind: Fault['kind']): FaultOfKind {
  return (name, operation, reading, wrong, apply) => ({ name, kind, operation, reading, wrong, apply });
}

/** An error that nobody thought of: answered with 500. */
export function crash(): never {
  throw new Error('not thought of');
}

/** Somebody else, who does something now and then. */
export function meanwhile(world: World, milliseconds: number, does: (turn: number) => void): void {
  let turn = 0;
  const timer = setInterval(() => {
    turn += 1;
    does(turn);
  }, milliseconds);
  timer.unref();
  world.timers.push(timer);
}
