/** What proofs rest on: runs without connections, and runs that try all forms. */
import { expect, test } from 'vitest';
import { thoroughly } from '../variants/variant.ts';
import { conductAgainst, conductAgainstServed, proveVariant } from './prove.ts';
import type { Conducted } from './unwritten-run.ts';

test('a run without connections comes to what a run over HTTP comes to', async () => {
  const verdicts = ({ outcomes }: Conducted) =>
    outcomes.map(({ requirement, name, verdict }) => `${requirement}: ${name}: ${verdict}`);
  expect(verdicts(await conductAgainst({}, []))).toEqual(verdicts(await conductAgainstServed({}, [])));
});

test('a run with --thorough sees every must requirement, within the orders and CIP checks of any run', async () => {
  const { accused, blocked, unseen } = await proveVariant(thoroughly({ name: 'thorough', sandbox: {} }));
  expect([...accused, ...blocked, ...unseen]).toEqual([]);
});
