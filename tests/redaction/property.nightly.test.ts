import { test } from 'vitest';
import { promise } from '../docs/security/promises.ts';
import { expectRedacted, PLACES } from './property.ts';

const RUNS = 5000;

test.each(Object.entries(PLACES))('no secret is written of %s', (place, write) => {
  expectRedacted(write, RUNS);
  promise('secrets', place, { attempts: RUNS, held: RUNS });
});
