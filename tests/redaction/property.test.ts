import { test } from 'vitest';
import { expectRedacted, PLACES } from './property.ts';

test.each(Object.entries(PLACES))('no secret is written of %s', (_, write) => expectRedacted(write, 40));
