/** What of a target's secrets got into anything that a run wrote or printed. */
import { expect } from 'vitest';
import { type Ended, everythingOf } from '../../../proof/hostile/run.ts';
import { promise } from '../../docs/security/promises.ts';
import type { CanaryTarget } from './canaries.ts';
import { canariesIn } from './search.ts';

export function leaks(target: CanaryTarget, ended: Ended): string[] {
  const canaries = target.canaries();
  const places = [...everythingOf(ended)];
  const found = places.flatMap(([place, text]) => canariesIn(text, canaries).map((one) => `${place}: ${one}`));
  const attempts = places.length * canaries.length;
  promise('secrets in a run', `${expect.getState().currentTestName}`, { attempts, held: attempts - found.length });
  return found;
}
