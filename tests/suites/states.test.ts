/** What the monitor of card states finds in a history. */
import { expect, test } from 'vitest';
import type { Fixtures } from '../../contracts/fixtures.ts';
import { operation } from '../../contracts/operations.ts';
import type { Answer, Intent } from '../../helpers/answer.ts';
import { refreshedByStatus, statesOf } from '../../suites/v3/cards/states/monitor.ts';

const SETTLE_MS = 100;

/**
 * A history in words, by card `a` where none is named: `suspend`, `suspend 409`, `b transfer 409`, `suspend as unauthorised`; `Active` and
 * `Active/2` are readings, with the number of getStatus; `wait` lets the settle time pass.
 */
function historyOf(words: string): Answer[] {
  let now = 0;
  const answers: Answer[] = [];
  const answered = (id: string, card: string, status: number, intent: Intent, value?: object) => {
    now += 2;
    const json = value && { ok: true, value };
    const exchange = `x${answers.length + 1}`;
    const given = { exchange, operation: operation(id), input: { path: { identifier: card } }, intent, status, json };
    answers.push({ ...given, sentAt: now - 1, answeredAt: now } as unknown as Answer);
  };
  for (const step of words.split(', ')) {
    if (step === 'wait') now += SETTLE_MS;
    const [, card = 'a', asked] = /^(?:([a-z]) )?(.*)$/.exec(step)!;
    const [, name, code = '200', intent = 'refusable'] = /^(\w+)(?: (\d+))?(?: as (\w+))?$/.exec(asked!) ?? [];
    const [, status, number = '1'] = /^([A-Z]\w+)(?:\/(\d+))?$/.exec(asked!) ?? [];
    if (status !== undefined) {
      answered('cards.getStatus', card, 200, 'valid', { status: Number(number) });
      answered('cards.get', card, 200, 'valid', { status });
    } else if (name !== undefined && step !== 'wait') answered(`cards.${name}`, card, Number(code), intent as Intent);
  }
  return answers;
}

const fixtures: Fixtures = { cards: { unused: ['u', 'v'], fraud: ['f'], disposable: ['d'] } };
const known = { fixtures, settleMs: SETTLE_MS };
/** Three readings, a settle time apart, once an effect would show. */
const stays = (reading: string) => Array(3).fill(`wait, ${reading}`).join(', ');
const shown = (requirement: string, words: string) => [
  ...new Set([...statesOf(requirement)(historyOf(words), known)].map(({ shows }) => shows)),
];

test.each([
  ['cards.suspend.not-active', `suspend, ${stays('Active')}`],
  ['cards.suspend.not-active', `suspend, wait, Blocked, transfer 409, ${stays('Active')}`],
  ['cards.suspend.not-active', `suspend, wait, Blocked, setPin, ${stays('Active')}`],
  ['cards.suspend.not-active', 'suspend, wait, Active, Blocked, wait, Active, Blocked, wait, Active'],
  ['cards.unsuspend.active', `suspend, wait, Blocked, unsuspend, ${stays('Blocked')}`],
  ['cards.unsuspend.active', `suspend, Blocked, unsuspend, Active, unsuspend 409, ${stays('Blocked')}`],
  ['cards.activate.active', `u Unused, u activate, ${stays('u Unused')}`],
  ['cards.activate.active', `u Unused, u activate, u Active, u activate 409, ${stays('u Unused')}`],
  ['cards.activate.leaves-closed', `close, Closed, activate 409, ${stays('Active')}`],
  ['cards.close.not-active', `close, ${stays('Active')}`],
  ['cards.close.stays-closed', `close, Closed, markLost 409, ${stays('Active')}`],
  ['cards.close.stays-closed', `close, Closed, wait, suspend 0, ${stays('Active')}`],
  ['cards.markLost.not-active', `markLost, ${stays('Active')}`],
  ['cards.markLost.refused-changes-nothing', `markLost, Lost, suspend 409, ${stays('Active')}`],
  ['cards.unsuspend.leaves-others', `close, Closed/2, unsuspend 409, ${stays('Active/1')}`],
  ['cards.unsuspend.leaves-others', `markLost, Lost/2, unsuspend, ${stays('Active/1')}`],
  ['cards.unsuspend.leaves-others', `u Unused/2, u unsuspend, ${stays('u Active/1')}`],
  ['cards.unsuspend.leaves-others', `f Fraud, wait, f Fraud, f unsuspend, ${stays('f Active')}`],
])('%s is contradicted: %s', (requirement, words) => {
  expect(shown(requirement, words)).toContain('contradiction');
});

test.each([
  ['too early, or too few', 'cards.suspend.not-active', 'suspend, Active, Active, Active, Active'],
  ['a replica that falls back', 'cards.suspend.not-active', 'suspend, wait, Active, wait, Active, wait, Blocked'],
  ['a bad token', 'cards.suspend.not-active', `suspend as unauthorised, ${stays('Active')}`],
  [
    'a request that named no card',
    'cards.suspend.not-active',
    `suspend, Blocked, z unsuspend as unknown, ${stays('Active')}`,
  ],
  [
    'a lost answer',
    'cards.suspend.not-active',
    `suspend, wait, Blocked, unsuspend 0, unsuspend 409, ${stays('Active')}`,
  ],
  [
    'a declined payment',
    'cards.unsuspend.active',
    `suspend, Blocked, unsuspend, Active, transfer 409, ${stays('Blocked')}`,
  ],
  ['never seen to be suspended', 'cards.unsuspend.active', `suspend, Active, unsuspend, ${stays('Blocked')}`],
  ['a spent pool', 'cards.activate.active', `close, Ended, u Ended, u activate, ${stays('u Ended')}`],
  ['a pool that others spent', 'cards.activate.active', `d Ended, u Ended, u activate, ${stays('u Ended')}`],
  [
    'one card of the pool is spent',
    'cards.activate.active',
    `v New, v activate, wait, v Active, u Old, u activate, ${stays('u Old')}`,
  ],
  [
    'suspended by others',
    'cards.unsuspend.leaves-others',
    `suspend, Blocked, u Blocked, u unsuspend, ${stays('u Active')}`,
  ],
  [
    'lost, but still suspended',
    'cards.unsuspend.leaves-others',
    `suspend, Blocked, markLost, Blocked, unsuspend, ${stays('Active')}`,
  ],
  ['a record that was out of date', 'cards.unsuspend.leaves-others', `u Unused, u unsuspend 409, ${stays('u Active')}`],
  ['a record that is behind', 'cards.close.not-active', `Active/1, close, ${stays('Active/4')}`],
  [
    'records that are behind',
    'cards.close.not-active',
    `Active/1, suspend, ${stays('Active/3')}, b close, ${stays('b Active')}`,
  ],
  ['an accepted operation', 'cards.markLost.refused-changes-nothing', `markLost, Lost, activate, ${stays('Active')}`],
])('nobody is accused: %s', (_, requirement, words) => {
  expect(shown(requirement, words)).not.toContain('contradiction');
});

test('what is kept, and why nothing is shown', () => {
  expect(shown('cards.suspend.not-active', 'suspend, wait, Blocked')).toEqual(['kept']);
  expect(shown('cards.close.stays-closed', 'close, Closed, unsuspend 409, wait, Closed')).toEqual(['kept']);
  const [refused] = statesOf('cards.suspend.not-active')(historyOf('suspend 403'), known);
  expect(refused).toMatchObject({ shows: 'nothing', reason: 'cards.suspend is refused with status 403' });
});

test('getStatus refreshes the record: by its number, or by payments that stop', () => {
  const verdict = (words: string) => [...refreshedByStatus(historyOf(words), known)].map(({ shows }) => shows);
  expect(verdict(`Active/1, suspend, ${stays('Active/3')}`)).toEqual(['contradiction']);
  expect(verdict(`suspend, ${stays('Active')}, transfer 409, wait, Active`)).toEqual(['contradiction']);
  expect(verdict(`transfer 409, suspend, ${stays('Active')}, transfer, wait, Active`)).toEqual(['nothing']);
  expect(verdict('suspend, wait, Blocked')).toEqual(['kept']);
});

test('a contradiction cites the operation, and the readings that show it', () => {
  const found = [...statesOf('cards.suspend.not-active')(historyOf(`Active, suspend, ${stays('Active')}`), known)];
  const [{ by, ...rest }] = found.filter(({ shows }) => shows === 'contradiction') as [(typeof found)[0]];
  expect(rest).toMatchObject({ message: 'a card is Active after cards.suspend' });
  expect([...new Set(by.map(({ operation: { id } }) => id))]).toEqual(['cards.suspend', 'cards.get']);
});

test('a contradiction names what was asked since the card was led into its state', () => {
  const words = `setPin, suspend, wait, transfer 409, setPin, ${stays('Active')}`;
  const [found] = [...statesOf('cards.suspend.not-active')(historyOf(words), known)];
  expect(found).toMatchObject({ message: 'a card that was suspended is Active after cards.transfer, cards.setPin' });
});
