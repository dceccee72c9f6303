import { expect, test } from 'vitest';
import type { Whole } from '../selfcheck/direct.ts';
import { differencesOf, keeping, type Played, playSound } from './replay.ts';

type Answers = Record<string, readonly [status: number, body: unknown]>;

/** A target that answers by path. */
const target = (answers: Answers, fixtures: unknown = {}) => ({
  environment: {},
  fixtures,
  unserved: {
    respond({ url }: { url?: string | undefined }): Whole {
      const [status, body] = answers[url!]!;
      return { status, headers: {}, bytes: Buffer.from(JSON.stringify(body)) };
    },
  },
});

const asked = (operation: string, url: string): Played => {
  return { method: 'GET', url, headers: {}, raw: Buffer.alloc(0), at: 0, operation };
};

/** What differs where the same is asked of two targets. */
async function between(requests: readonly Played[], sound: Answers, mutant: Answers): Promise<string[]> {
  return differencesOf(() => target(mutant), await playSound(() => target(sound), requests));
}

const status = asked('cards.getStatus', '/status');

test('what is asked is kept, with its time, and answered', () => {
  const requests: Played[] = [];
  const { unserved } = keeping(target({ '/status': [200, {}] }), requests);
  expect(unserved.respond({ method: 'GET', url: '/status', headers: {}, raw: Buffer.alloc(0) })).toMatchObject({
    status: 200,
  });
  expect(requests).toMatchObject([{ url: '/status', at: expect.any(Number) }]);
});

test('what is refused, accepted or answered with another status differs, and why', async () => {
  const of = (sound: number, mutant: number) =>
    between([status], { '/status': [sound, { why: 'sound' }] }, { '/status': [mutant, { why: 'mutant' }] });
  expect(await of(200, 409)).toEqual(['cards.getStatus refuses: mutant']);
  expect(await of(409, 200)).toEqual(['cards.getStatus accepts: sound']);
  expect(await of(400, 404)).toEqual(['cards.getStatus answers 404 for 400: sound']);
  expect(await of(400, 400)).toEqual([]);
});

test('members differ that are documented and set', async () => {
  const of = (sound: unknown, mutant: unknown) =>
    between([status], { '/status': [200, sound] }, { '/status': [200, mutant] });
  expect(await of({ status: 1 }, { status: 2 })).toEqual(['cards.getStatus another .status']);
  expect(await of({ status: 1 }, {})).toEqual(['cards.getStatus no .status']);
  expect(await of({ status: 1, more: 1 }, { status: 1, more: 2 })).toEqual([]);
});

test('entries of a listing are told apart from their order, with the parameters that were given', async () => {
  const list = (...ids: string[]) => ({
    '/list?max=5': [200, { results: ids.map((identifier) => ({ identifier })) }] as const,
  });
  const request = asked('users.list', '/list?max=5');
  expect(await between([request], list('a', 'b'), list('b', 'a'))).toEqual([
    'users.list?max another order of .results',
  ]);
  expect(await between([request], list('a', 'b'), list('a'))).toEqual(['users.list?max fewer .results']);
});

test('a name that is spelled otherwise is the same, one that is given for another is not', async () => {
  const of = (...tokens: [string, string]): Answers => ({
    '/first': [200, { token: tokens[0] }],
    '/second': [200, { token: tokens[1] }],
  });
  const requests = [asked('cards.createToken', '/first'), asked('cards.createToken', '/second')];
  expect(await between(requests, of('token-1', 'token-2'), of('other-1', 'other-2'))).toEqual([]);
  expect(await between(requests, of('token-1', 'token-2'), of('token-1', 'token-1'))).toEqual([
    'cards.createToken another .token',
  ]);
});
