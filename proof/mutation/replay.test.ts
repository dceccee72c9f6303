import { expect, test } from 'vitest';
import type { Whole } from '../selfcheck/direct.ts';
import { differencesOf, keeping, type Played, playSound } from './replay.ts';

type Answers = Record<string, readonly [status: number, body: unknown]>;

/** A target that answers by path. */
const target = (answers: Answers) => ({
  environment: {},
  fixtures: {},
  unserved: {
    respond({ url }: { url?: string | undefined }): Whole {
      const [status, body] = answers[url!]!;
      return { status, headers: {}, bytes: Buffer.from(JSON.stringify(body)) };
    },
  },
});

const request = { method: 'GET', headers: {}, raw: Buffer.alloc(0) };

/** What differs where the same is asked of two targets. */
async function between(operation: string, sound: Answers, mutant: Answers): Promise<string[]> {
  const requests = Object.keys(sound).map((url): Played => ({ ...request, url, at: 0, operation }));
  return differencesOf(() => target(mutant), await playSound(() => target(sound), requests));
}

test('what is asked is kept, with its time, and answered', () => {
  const requests: Played[] = [];
  const { unserved } = keeping(target({ '/status': [200, {}] }), requests);
  expect(unserved.respond({ ...request, url: '/status' })).toMatchObject({ status: 200 });
  expect(requests).toMatchObject([{ url: '/status', at: expect.any(Number) }]);
});

test.each<[string, sound: Answers[string], mutant: Answers[string], string[]]>([
  ['refused', [200, ['sound']], [409, ['mutant']], ['refuses: mutant']],
  ['accepted', [409, ['sound']], [200, ['mutant']], ['accepts: sound']],
  ['refused with another status', [400, ['sound']], [404, ['mutant']], ['answers 404 for 400: sound']],
  ['refused in other words', [400, ['sound']], [400, ['mutant']], []],
  ['another value', [200, { status: 1 }], [200, { status: 2 }], ['another .status']],
  ['a value that is not there', [200, { status: 1 }], [200, {}], ['no .status']],
  ['another value that is undocumented', [200, { status: 1, more: 1 }], [200, { status: 1, more: 2 }], []],
])('%s', async (_, sound, mutant, differences) => {
  const found = await between('cards.getStatus', { '/status': sound }, { '/status': mutant });
  expect(found).toEqual(differences.map((difference) => `cards.getStatus ${difference}`));
});

test('entries of a listing are told apart from their order, with the parameters that were given', async () => {
  const list = (...ids: string[]): Answers => ({
    '/list?max=5': [200, { results: ids.map((identifier) => ({ identifier })) }],
  });
  const order = await between('users.list', list('a', 'b'), list('b', 'a'));
  expect(order).toEqual(['users.list?max another order of .results']);
  expect(await between('users.list', list('a', 'b'), list('a'))).toEqual(['users.list?max fewer .results']);
});

test('a name that is spelled otherwise is the same, one that is given for another is not', async () => {
  const of = (first: string, second: string): Answers => ({
    '/first': [200, { token: first }],
    '/second': [200, { token: second }],
  });
  const sound = of('token-1', 'token-2');
  expect(await between('cards.createToken', sound, of('other-1', 'other-2'))).toEqual([]);
  const confused = await between('cards.createToken', sound, of('token-1', 'token-1'));
  expect(confused).toEqual(['cards.createToken another .token']);
});
