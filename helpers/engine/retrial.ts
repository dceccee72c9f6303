/** Tries suspicions again: the only place that decides whether a refusal is enough for an accusation (readings 7, 47 and 51). */
import { numbers } from '../../contracts/numbers.ts';
import type { Retrial } from '../../contracts/record.ts';
import { type Answer, describe, succeeded } from '../answer.ts';
import type { Context } from '../context.ts';
import type { Contradiction } from '../evidence/monitor.ts';
import { attempt, type Fact, inconclusive, Nonconformance } from '../verdict.ts';
import { knownOf, type TryAgain } from './monitor.ts';

/** Controls before each attempt. A quota that lets some of many requests pass spreads them evenly: it would refuse one of three in a row. Where few more may be accepted there are fewer. */
const CONTROLS_BEFORE = { usual: [1, 1, 1, 3], few: [1, 3] };
/** Number of accepted requests that are enough for two suspicions. */
const AMPLE = 15;

/**
 * Repeats a request between controls that must be accepted, so that a rate limit or cool-down cannot explain its
 * refusal; once, where no control is known. Call it once the interface is quiet; see Context.untilQuiet.
 * @param explain puts the refusal of a control into words
 * @param how.isRight whether an answer is the expected one, which ends the attempts
 * @param how.left how many more may be accepted, where they cost something
 * @returns the first expected answer, or the last answer; and how it was tried
 * @throws Inconclusive when a control is refused
 */
export async function betweenAccepted(
  control: (() => Promise<Answer>) | undefined,
  request: () => Promise<Answer>,
  explain: (refusal: Answer) => string,
  { isRight = succeeded, left = AMPLE }: { isRight?: (answer: Answer) => boolean; left?: number | undefined } = {},
): Promise<{ answer: Answer; retrial: Retrial }> {
  const retrial: Retrial = { tries: 0, shown: 0, controls: 0, exchanges: [] };
  const requireControls = async (count: number) => {
    for (let n = 0; control && n < count; n++) {
      const answer = await control();
      retrial.exchanges.push(answer.exchange);
      if (!succeeded(answer)) inconclusive(explain(answer));
      retrial.controls++;
      retrial.control = answer.exchange;
    }
  };
  let last: Answer | undefined;
  for (const count of control ? CONTROLS_BEFORE[left < AMPLE ? 'few' : 'usual'] : [0]) {
    await requireControls(count);
    last = await request();
    retrial.exchanges.push(last.exchange);
    retrial.tries++;
    if (isRight(last)) return { answer: last, retrial };
    retrial.shown++;
    retrial.once = [...(control ? [retrial.control!] : []), last.exchange];
  }
  await requireControls(1);
  return { answer: last!, retrial };
}

/**
 * Repeats in quiet what was answered otherwise than before, as often as it takes to accuse.
 * @param times how often it has to show
 * @param isShown whether an accepted answer shows it
 * @throws Inconclusive where it is refused now, or does not show each time
 */
export async function shownEachTime(
  t: Context,
  request: () => Promise<Answer>,
  times: number,
  isShown: (answer: Answer) => boolean,
): Promise<{ answer: Answer; retrial: Retrial }> {
  await t.untilQuiet();
  const retrial: Retrial = { tries: 0, shown: 0, controls: 0, exchanges: [] };
  for (;;) {
    const answer = await request();
    retrial.exchanges.push(answer.exchange);
    retrial.tries++;
    if (!succeeded(answer)) inconclusive(`${answer.operation.id}, accepted before, answers ${describe(answer)} now`);
    if (!isShown(answer))
      inconclusive(`${answer.operation.id} answered otherwise once, but not when it was asked again`);
    retrial.shown++;
    retrial.once = [answer.exchange];
    if (retrial.shown === times) return { answer, retrial };
  }
}

/** A right request that is refused now, in words. */
export const refusedNow = (answer: Answer): string =>
  `the right request is refused now, too: ${answer.operation.id} answers ${describe(answer)}`;

/**
 * Repeats a request with a bad credential that was answered otherwise than it must be, each time after a right one was accepted. A target may refuse
 * everything for a while after bad credentials, and trying again may renew that: the silences before it double (reading 51). Where a right one is refused,
 * the wrong one is not sent.
 * @param control sends the right request; undefined where the run has none
 * @param how.isRight whether an answer is the expected one, which ends the attempts
 * @returns the first expected answer, or the last one; and how it was tried
 * @throws Inconclusive when the last control is refused
 */
export async function afterSilences(
  t: Context,
  { operation, status }: Answer,
  control: { send(t: Context): Promise<Answer> } | undefined,
  request: () => Promise<Answer>,
  { isRight }: { isRight: (answer: Answer) => boolean },
): Promise<{ answer: Answer; retrial: Retrial }> {
  const quiet = t.run.quietOf(operation.interface);
  const what = `${operation.id} ${status} to a bad credential`;
  const retrial: Retrial = { tries: 0, shown: 0, controls: 0, exchanges: [] };
  let good: Answer | undefined;
  let last: Answer | undefined;
  // A right one that cannot be sent, as where a login is refused, is refused, too.
  const isRefused = () => control !== undefined && !(good && succeeded(good));
  for (const silence of quiet.silencesFor(what, t.run.configuration.run.settleMs)) {
    await t.untilQuiet(silence);
    good = control && (await attempt(() => control.send(t))).value;
    if (good) retrial.exchanges.push(good.exchange);
    if (isRefused()) {
      quiet.disturb();
      continue;
    }
    last = await request();
    retrial.controls += good ? 1 : 0;
    retrial.tries++;
    retrial.exchanges.push(last.exchange);
    if (isRight(last)) {
      quiet.helped(silence);
      return { answer: last, retrial };
    }
    retrial.shown++;
    retrial.once = [...(good ? [good.exchange] : []), last.exchange];
    if (good) retrial.control = good.exchange;
  }
  if (isRefused() || !last) inconclusive(good ? refusedNow(good) : 'no right request is accepted now');
  quiet.didNotHelp(what);
  return { answer: last, retrial };
}

/**
 * Tries with another subject what one shows (reading 47): somebody else may use the first, but hardly both in the same way.
 * @param mustBeTried whether it accuses only where another one could be tried
 * @returns how it was tried; undefined where there is no other one
 * @throws Inconclusive where that does not show it
 */
export async function shownByAnother(
  t: Context,
  message: string,
  again: () => Promise<boolean>,
  { mustBeTried = false } = {},
): Promise<Retrial | undefined> {
  const before = t.exchanges.length;
  const { value: isShown } = await attempt(again);
  if (isShown === false) inconclusive(`${message}, but another one does not show it`);
  if (isShown) return triedSince(t, before);
  return mustBeTried ? inconclusive(`${message}, but it could not be tried with another one`) : undefined;
}

/**
 * Ends as a step has ended. Where that failed, it has to fail with another subject, too.
 * @param again the step with the other one; undefined where that could not be tried
 * @throws Nonconformance where both fail, Inconclusive where one alone does, else the verdict that ended the step
 */
export async function endAsStep(
  t: Context,
  step: Fact<void> | undefined,
  again: () => Promise<Fact<void> | undefined>,
): Promise<void> {
  const failure = step?.ended;
  if (!(failure instanceof Nonconformance)) return step?.get();
  const isShown = async () => (await again())?.ended instanceof Nonconformance;
  const retrial = await shownByAnother(t, failure.message, isShown, { mustBeTried: true });
  throw new Nonconformance(failure.message, failure.difference, failure.shownBy, retrial);
}

/** How a check tried again, once, with the exchanges after its first ones. @param before number of these */
export function triedSince({ exchanges: all }: Context, before: number): Retrial {
  const exchanges = all.slice(before);
  return { tries: 1, shown: 1, controls: 0, exchanges, once: exchanges };
}

/** Exchanges in the order in which they were sent; those that were under way at the same moment stand together. */
function together(exchanges: readonly Answer[]): Answer[][] {
  const groups: Answer[][] = [];
  let until = Number.NEGATIVE_INFINITY;
  for (const one of exchanges.toSorted((a, b) => a.sentAt - b.sentAt)) {
    if (one.sentAt < until) groups.at(-1)!.push(one);
    else groups.push([one]);
    until = Math.max(until, one.answeredAt);
  }
  return groups;
}

/**
 * Asks again what shows a contradiction, in quiet, and once more in reverse order: what shows each time cannot have come or gone in between
 * (reading 47).
 * @param ask asks for everything, and tells whether it shows again
 * @throws Inconclusive when it does not
 */
export async function askedTwice(
  t: Context,
  message: string,
  ask: (isReversed: boolean) => Promise<{ isShown: boolean; exchanges: string[] }>,
): Promise<Retrial> {
  await t.untilQuiet();
  const exchanges: string[] = [];
  let once: string[] = [];
  for (const isReversed of [false, true]) {
    if (isReversed) await t.settle();
    const asked = await ask(isReversed);
    if (!asked.isShown) inconclusive(`${message}, but not when it was asked again`);
    once = asked.exchanges;
    exchanges.push(...once);
  }
  return { tries: 2, shown: 2, controls: 0, exchanges, once };
}

/** Asks again for readings that contradict each other. What was asked at the same moment is asked so again. */
export const askedAgain: TryAgain = async (t, found, monitor) => {
  let standing: readonly Contradiction[] = found;
  const groups = together(found[0].by);
  const ask = ({ operation, input }: Answer) => t.call(operation.id, input, { intent: 'refusable', atOnce: true });
  const retrial = await askedTwice(t, found[0].message, async (isReversed) => {
    const answers: Answer[] = [];
    for (const group of isReversed ? groups.toReversed() : groups) answers.push(...(await Promise.all(group.map(ask))));
    const again = [...monitor(answers, knownOf(t))].map((one) => (one.shows === 'contradiction' ? one.message : ''));
    standing = standing.filter(({ message }) => again.includes(message));
    return { isShown: standing.length > 0, exchanges: answers.map(({ exchange }) => exchange) };
  });
  return { stands: standing[0]!, retrial };
};

/** Asks again for readings of which the last should show what those before it gave, each time in their order, a settle time apart. @throws Inconclusive where it does once */
export const askedInOrder: TryAgain = async (t, [stands], monitor) => {
  const retrial: Retrial = {
    tries: numbers.readingsInOrder,
    shown: numbers.readingsInOrder,
    controls: 0,
    exchanges: [],
  };
  for (let times = 0; times < numbers.readingsInOrder; times++) {
    await t.settle();
    const answers: Answer[] = [];
    for (const { operation, input } of stands.by)
      answers.push(await t.call(operation.id, input, { intent: 'refusable' }));
    if (![...monitor(answers, knownOf(t))].some(({ shows }) => shows === 'contradiction'))
      inconclusive(`${stands.message}, but not when it was asked again`);
    retrial.once = answers.map(({ exchange }) => exchange);
    retrial.exchanges.push(...retrial.once);
  }
  return { stands, retrial };
};

/**
 * Asks again for readings of two things that seem to be mixed up when they are asked for at the same moment: in quiet one after the other, where each has
 * a value of its own, then at the same moment.
 * @param readValue gives what a reading shows
 * @throws Inconclusive when they are not mixed up again, or values change by themselves
 */
export const askedInFlight =
  (readValue: (answer: Answer) => unknown): TryAgain =>
  async (t, [stands]) => {
    await t.untilQuiet();
    const [one, other] = [stands.by[0], stands.by.at(-1)!];
    const ask = ({ operation, input }: Answer, atOnce: boolean) =>
      t.call(operation.id, input, { intent: 'refusable', atOnce });
    const before = t.exchanges.length;
    const alone = async () => [readValue(await ask(one, false)), readValue(await ask(other, false))];
    const own = await alone();
    const requireSame = async () => {
      if ((await alone()).some((value, index) => value !== own[index]))
        inconclusive(`${stands.message}, but it changes by itself`);
    };
    await requireSame();
    const retrial: Retrial = { tries: 0, shown: 0, controls: 2, exchanges: [] };
    for (; retrial.tries < numbers.readingsInFlight; retrial.tries++) {
      const answers = await Promise.all([one, other, one, other].map((reading) => ask(reading, true)));
      if (answers.every((answer, index) => !succeeded(answer) || readValue(answer) === own[index % 2])) continue;
      retrial.shown++;
      retrial.once = answers.map(({ exchange }) => exchange);
    }
    await requireSame();
    retrial.exchanges.push(...t.exchanges.slice(before));
    if (retrial.shown === 0) inconclusive(`${stands.message}, but not when it was asked again`);
    return { stands, retrial };
  };

/** What something is done to, and what shows it besides. */
export type Pair = readonly [named: string, other: string];

/**
 * Tries again in quiet what was done to one thing and showed on another, until two different ones show it: somebody else may use one. After a pair that shows it
 * comes the same the other way round.
 * @param how.prepare done once it is quiet
 * @param how.isShown tries a pair, with a control; what it throws shows nothing
 * @returns how it was tried; undefined where no two show it
 */
export async function shownByPairs(
  t: Context,
  pairs: readonly Pair[],
  { prepare, isShown }: { prepare: () => Promise<void>; isShown: (pair: Pair) => Promise<boolean> },
): Promise<Retrial | undefined> {
  await t.untilQuiet();
  await prepare();
  const left = [...pairs];
  const exchanges: string[] = [];
  const seen = new Set<string>();
  for (let pair = left.shift(); pair; pair = left.shift()) {
    const before = t.exchanges.length;
    if (seen.has(pair[1]) || !(await attempt(() => isShown(pair))).value) continue;
    const once = t.exchanges.slice(before);
    exchanges.push(...once);
    if (seen.size > 0) return { tries: 2, shown: 2, controls: 2, exchanges, once };
    seen.add(pair[1]);
    left.unshift([pair[1], pair[0]]);
  }
  return undefined;
}
