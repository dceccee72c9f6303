/** Lives: which steps are played, and when. */
import { expect, test } from 'vitest';
import type { Context } from '../../helpers/context.ts';
import { Life, playedFrom } from '../../helpers/engine/life.ts';

const newLife = () => new Life({ check: () => {} }, 'a life', (life) => playedFrom(life, async () => ({})));

/** A context in which everything is judged that a step may be read by. */
const everything = { needs: () => true, needsOperation: () => true } as unknown as Context;

test('steps of one moment are played together, after those before and before those after', async () => {
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const life = newLife()
    .shows('before', () => 'begun')
    .atOnce((added) =>
      added
        // Each waits for the other.
        .shows('one', () => {
          first.resolve('one');
          return second.promise;
        })
        .shows('other', () => {
          second.resolve('other');
          return first.promise;
        }),
    )
    .shows('after', ({ before, one, other }) => [before.get(), one.get(), other.get()]);
  const { after } = await life.play(everything, {});
  expect(after.get()).toEqual(['begun', 'other', 'one']);
});
