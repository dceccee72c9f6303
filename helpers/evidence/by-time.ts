/** Finds answers by time without going through all of them: a history may hold thousands. */
import type { Answer } from '../answer.ts';

export type TimeOf = (answer: Answer) => number;

export const sentAt: TimeOf = (answer) => answer.sentAt;
export const answeredAt: TimeOf = (answer) => answer.answeredAt;

/** The number of ascending values that are at most a limit. */
export function countUpTo(values: readonly number[], limit: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (values[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

const inOrderOf = (answers: readonly Answer[], timeOf: TimeOf): Answer[] =>
  answers.toSorted((one, other) => timeOf(one) - timeOf(other));

/** What finds, of the answers whose one time is at most a limit, the latest by another time. */
export function latestUpTo(
  answers: readonly Answer[],
  timeOf: TimeOf,
  by: TimeOf = timeOf,
): (limit: number) => Answer | undefined {
  const sorted = inOrderOf(answers, timeOf);
  const times = sorted.map(timeOf);
  const latest: Answer[] = [];
  for (const one of sorted) {
    const before = latest.at(-1);
    latest.push(before && by(before) > by(one) ? before : one);
  }
  return (limit) => latest[countUpTo(times, limit) - 1];
}

/** What goes through the answers that were in flight during a span, in the order in which they were sent. */
export function inFlight(answers: readonly Answer[]): (since: number, until: number) => Generator<Answer> {
  const sorted = inOrderOf(answers, sentAt);
  let last = Number.NEGATIVE_INFINITY;
  /** For each, when the last of it and those sent before it was answered. */
  const answered = sorted.map((one) => {
    last = Math.max(last, one.answeredAt);
    return last;
  });
  return function* (since, until) {
    for (let place = countUpTo(answered, since); place < sorted.length; place++) {
      const one = sorted[place]!;
      if (one.sentAt >= until) return;
      if (one.answeredAt > since) yield one;
    }
  };
}
