/** What the monitor of card states finds in a history. */
import { expect, test } from 'vitest';
import type { Answer, Intent } from '../../helpers/answer.ts';
import { refreshedByStatus } from '../../suites/v3/cards/states/monitors.ts';
import { statesOf } from '../../suites/v3/cards/states.ts';
import { answerTo } from '../tools/answers.ts';

const SETTLE_MS = 100;
const STEP = /^(?:([a-z]) )?(?:([A-Z]\w+)(?:\/(\d+))?|(\w+)(?: (\d+))?(?: as (\w+))?)$/;

/**
 * A history in words, by card `a` where none is named: `suspend`, `suspend 409`, `b transfer 409`, `suspend as unauthorised`; `Active` and
 * `Active/2` are readings, with the number of getStatus; `wait` lets the settle time pass; `stays Active` is three readings, each after a wait.
 */
function historyOf(words: string): Answer[] {
  let now = 0;
  const answers: Answer[] = [];
  for (const step of words.replaceAll(/stays ([^,]+)/g, 'wait, $1, wait, $1, wait, $1').split(', ')) {
    if (step === 'wait') {
      now += SETTLE_MS;
      continue;
    }
    const [, card = 'a', status, number = 1, name, code = 200, intent = 'refusable'] = STEP.exec(step)!;
    const input = { path: { identifier: card } };
    const answered = (id: string, body: unknown, more: Partial<Answer>) => {
      now += 2;
      answers.push(
        answerTo(id, body, {
          exchange: `x${now}`,
          input,
          sentAt: now - 1,
          answeredAt: now,
          ...more,
        }),
      );
    };
    if (status === undefined) answered(`cards.${name}`, '', { status: Number(code), intent: intent as Intent });
    else {
      answered('cards.getStatus', { status: Number(number) }, {});
      answered('cards.get', { status }, {});
    }
  }
  return answers;
}

const known = { fixtures: { cards: { unused: ['u', 'v'], fraud: ['f'], disposable: ['d'] } }, settleMs: SETTLE_MS };
const found = (requirement: string, words: string) => [...statesOf(`cards.${requirement}`)(historyOf(words), known)];
const shown = (requirement: string, words: string) => [...new Set(found(requirement, words).map(({ shows }) => shows))];

test.each([
  ['suspend.not-active', 'suspend, stays Active'],
  ['suspend.not-active', 'suspend, wait, Blocked, transfer 409, stays Active'],
  ['suspend.not-active', 'suspend, wait, Blocked, setPin, stays Active'],
  ['suspend.not-active', 'suspend, wait, Active, Blocked, wait, Active, Blocked, wait, Active'],
  ['unsuspend.active', 'suspend, wait, Blocked, unsuspend, stays Blocked'],
  ['unsuspend.active', 'suspend, Blocked, unsuspend, Active, unsuspend 409, stays Blocked'],
  ['activate.active', 'u Unused, u activate, stays u Unused'],
  ['activate.active', 'u Unused, u activate, u Active, u activate 409, stays u Unused'],
  ['activate.leaves-closed', 'close, Closed, activate 409, stays Active'],
  ['close.not-active', 'close, stays Active'],
  ['close.stays-closed', 'close, Closed, markLost 409, stays Active'],
  ['close.stays-closed', 'close, Closed, wait, suspend 0, stays Active'],
  ['markLost.not-active', 'markLost, stays Active'],
  ['markLost.refused-changes-nothing', 'markLost, Lost, suspend 409, stays Active'],
  ['unsuspend.leaves-others', 'close, Closed/2, unsuspend 409, stays Active/1'],
  ['unsuspend.leaves-others', 'markLost, Lost/2, unsuspend, stays Active/1'],
  ['unsuspend.leaves-others', 'u Unused/2, u unsuspend, stays u Active/1'],
  ['unsuspend.leaves-others', 'f Fraud, wait, f Fraud, f unsuspend, stays f Active'],
])('cards.%s is contradicted: %s', (requirement, words) => {
  expect(shown(requirement, words)).toContain('contradiction');
});

test.each([
  ['too early, or too few', 'suspend.not-active', 'suspend, Active, Active, Active, Active'],
  ['a replica that falls back', 'suspend.not-active', 'suspend, wait, Active, wait, Active, wait, Blocked'],
  ['a bad token', 'suspend.not-active', 'suspend as unauthorised, stays Active'],
  ['a request of no card', 'suspend.not-active', 'suspend, Blocked, z unsuspend as unknown, stays Active'],
  ['a lost answer', 'suspend.not-active', 'suspend, wait, Blocked, unsuspend 0, unsuspend 409, stays Active'],
  ['a declined payment', 'unsuspend.active', 'suspend, Blocked, unsuspend, Active, transfer 409, stays Blocked'],
  ['never seen to be suspended', 'unsuspend.active', 'suspend, Active, unsuspend, stays Blocked'],
  ['a spent pool', 'activate.active', 'close, Ended, u Ended, u activate, stays u Ended'],
  ['a pool that others spent', 'activate.active', 'd Ended, u Ended, u activate, stays u Ended'],
  ['one spent card', 'activate.active', 'v New, v activate, wait, v Active, u Old, u activate, stays u Old'],
  ['suspended by others', 'unsuspend.leaves-others', 'suspend, Blocked, u Blocked, u unsuspend, stays u Active'],
  ['still suspended', 'unsuspend.leaves-others', 'suspend, Blocked, markLost, Blocked, unsuspend, stays Active'],
  ['a record that was out of date', 'unsuspend.leaves-others', 'u Unused, u unsuspend 409, stays u Active'],
  ['a record that is behind', 'close.not-active', 'Active/1, close, stays Active/4'],
  ['records that are behind', 'close.not-active', 'Active/1, suspend, stays Active/3, b close, stays b Active'],
  ['an accepted operation', 'markLost.refused-changes-nothing', 'markLost, Lost, activate, stays Active'],
])('nobody is accused: %s', (_, requirement, words) => {
  expect(shown(requirement, words)).not.toContain('contradiction');
});

test('what is kept, and why nothing is shown', () => {
  expect(shown('suspend.not-active', 'suspend, wait, Blocked')).toEqual(['kept']);
  expect(shown('close.stays-closed', 'close, Closed, unsuspend 409, wait, Closed')).toEqual(['kept']);
  const [refused] = found('suspend.not-active', 'suspend 403');
  expect(refused).toMatchObject({ shows: 'nothing', reason: 'cards.suspend is refused with status 403' });
});

test.each([
  ['its number', 'Active/1, suspend, stays Active/3', 'contradiction'],
  ['payments that stop', 'suspend, stays Active, transfer 409, wait, Active', 'contradiction'],
  ['payments that did not work before', 'transfer 409, suspend, stays Active, transfer, wait, Active', 'nothing'],
  ['a record that was fresh', 'suspend, wait, Blocked', 'kept'],
])('whether getStatus refreshes the record is told by %s', (_, words, shows) => {
  expect([...refreshedByStatus(historyOf(words), known)]).toMatchObject([{ shows }]);
});

test('a contradiction cites the operation and the readings that show it, and names what was asked in that state', () => {
  const contradicted = (words: string) =>
    found('suspend.not-active', words).find(({ shows }) => shows === 'contradiction')!;
  const { by, ...rest } = contradicted('Active, suspend, stays Active');
  expect(rest).toMatchObject({ message: 'a card is Active after cards.suspend' });
  expect([...new Set(by.map(({ operation: { id } }) => id))]).toEqual(['cards.suspend', 'cards.get']);
  const message = 'a card that was suspended is Active after cards.setPin (and, refused, cards.transfer)';
  expect(contradicted('setPin, suspend, wait, transfer 409, setPin, stays Active')).toMatchObject({ message });
});
