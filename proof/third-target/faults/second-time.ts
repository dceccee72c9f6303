import { around } from '../core/changes.ts';
import type { Answer, Call, World } from '../core/model.ts';

/** Once an operation succeeded so often, by a key, it does something else. */
export function second(
  world: World,
  operation: string,
  key: (call: Call) => unknown,
  does: (call: Call, next: () => Promise<Answer>) => Answer | Promise<Answer>,
  from = 2,
): void {
  const done = new Map<unknown, number>();
  around(world, operation, async (call, next) => {
    const times = done.get(key(call)) ?? 0;
    if (times >= from - 1) return does(call, next);
    const answer = await next();
    if (answer.status < 300) done.set(key(call), times + 1);
    return answer;
  });
}

export const card = ({ identifier }: Call) => identifier;
export const status = (value: number) => async (_call: Call, next: () => Promise<Answer>) => {
  const answer = await next();
  return answer.status < 300 ? { ...answer, status: value } : answer;
};
export const patched = (patch: (answer: Answer) => Answer) => async (_call: Call, next: () => Promise<Answer>) => {
  const answer = await next();
  return answer.status < 300 ? patch(answer) : answer;
};
