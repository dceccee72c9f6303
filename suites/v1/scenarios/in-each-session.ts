/** What a session may do and is shown depends on its user, not on which of the user's sessions asks (reading 33). */
import { describe, succeeded } from '../../../helpers/answer.ts';
import type { CheckOptions, Context } from '../../../helpers/check.ts';
import type { Tried } from '../../../helpers/engine/acceptance.ts';
import { fail, judgeEach } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import * as Lifecycle from './lifecycle.ts';
import type * as WhoAsks from './who-asks.ts';

/** Declares a check of what is asked for in each session of the user. */
export function judgeEachSession(requirement: string, asked: WhoAsks.Asked, judge: (tried: Tried) => void): void {
  const play = Lifecycle.sessions.reads(requirement, asked);
  check(requirement, `${asked} in each session of the user`, { phase: 'last' }, async (t) => {
    judgeEach((await play(t))[asked].get().map((tried) => () => judge(tried)));
  });
}

/** Declares a check that it is accepted in each. */
export const acceptsInEachSession = (requirement: string, asked: WhoAsks.Asked): void =>
  judgeEachSession(requirement, asked, ({ answer, isRight, retrial }) => {
    if (!isRight && !succeeded(answer))
      fail(`${asked} is refused in one session of the user, and accepted in another`, 'success', describe(answer), {
        in: answer,
        retrial,
      });
  });

/** What drives a monitor by asking in each session: the name of the check, its options and its body. */
export const askedInEachSession = (
  requirement: string,
  asked: WhoAsks.Asked,
): [string, CheckOptions, (t: Context) => Promise<void>] => [
  `${asked} in each session of the user`,
  { phase: 'last' },
  Lifecycle.drive(requirement, asked),
];
