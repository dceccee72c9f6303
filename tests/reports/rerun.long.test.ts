import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Conformance } from '../../contracts/record.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import type { Fault } from '../../proof/faults/fault.ts';
import { contractFaults } from '../../proof/faults/from-contracts.ts';
import { generatedFaults } from '../../proof/faults/generated.ts';
import { portalFaults } from '../../proof/faults/portal.ts';
import { changingCardFaults } from '../../proof/faults/v3-changing.ts';
import { filterFaults } from '../../proof/faults/v3-filters.ts';
import { listingFaults } from '../../proof/faults/v3-listings.ts';
import { readingFaults } from '../../proof/faults/v3-reading.ts';
import { tokenFaults } from '../../proof/faults/v3-token.ts';
import { fingerprints } from '../../reports/causes.ts';
import { startSandbox } from '../../sandbox/index.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { runHere } from '../tools/run-in-process.ts';
import { environmentOf } from '../tools/sandboxes.ts';

const families: Record<string, readonly Fault[]> = {
  contracts: contractFaults,
  portal: portalFaults,
  'changing cards': changingCardFaults,
  listings: listingFaults,
  reading: readingFaults,
  token: tokenFaults,
  generated: generatedFaults,
  filters: filterFaults,
};

/** The fault of one family that is tried: one in the middle. */
const sample = (faults: readonly Fault[]): Fault => {
  const plain = faults.filter(
    ({ configure, condemns }) => !configure && condemns.some((id) => requirementById(id).level === 'must'),
  );
  return plain[Math.floor(plain.length / 2)]!;
};

const cases = Object.entries(families).map(([family, faults]) => {
  const fault = sample(faults);
  return [family, fault.name, fault] as const;
});

describe('the command printed for a failure fails the same way', () => {
  test.each(cases)('%s: %s', async (_family, _name, fault) => {
    const cwd = temporaryDirectory();
    const first = await runAgainst(fault, cwd, ['--report-dir', 'reports/latest', '--seed', '20260']);
    const record = recordIn(cwd, 'reports/latest');
    const printed = printedReruns(first);
    const id = fault.condemns.find((one) => printed.has(one)) ?? fault.condemns[0]!;
    const command = printed.get(id)!;
    const before = readFileSync(join(cwd, 'reports/latest/exchanges.ndjson'), 'utf8');
    await runAgainst(fault, cwd, command.replace('npm start -- ', '').split(' '));
    const again = recordIn(cwd, command.split('--report-dir ')[1]!);
    expect({ command, ways: waysOf(again, id) }).toEqual({ command, ways: waysOf(record, id) });
    expect(readFileSync(join(cwd, 'reports/latest/exchanges.ndjson'), 'utf8')).toBe(before);
  });
});

/** The commands in the terminal output, by the requirements that each stands under: one that failed, and those that failed for the same reason. */
function printedReruns(text: string): Map<string, string> {
  const reruns = new Map<string, string>();
  let ids: string[] = [];
  for (const line of text.split('\n')) {
    const [, failed] = /^FAILED (\S+)$/.exec(line) ?? [];
    if (failed) ids = [failed];
    const [, others] = /^ +also +(.*)$/.exec(line) ?? [];
    if (others) ids.push(...others.split(', '));
    const [, command] = /^ +rerun +(npm start -- .*)$/.exec(line) ?? [];
    if (command) for (const id of ids) reruns.set(id, command);
  }
  return reruns;
}

const recordIn = (cwd: string, directory: string) =>
  JSON.parse(readFileSync(join(cwd, directory, 'conformance.json'), 'utf8')) as Conformance;

const waysOf = ({ requirements }: Conformance, id: string) => fingerprints(requirements.find((one) => one.id === id)!);

/** What a run prints against a fresh sandbox with the fault. */
async function runAgainst({ sandbox: options }: Fault, cwd: string, args: string[]): Promise<string> {
  await using sandbox = await startSandbox(options);
  const env = { ...environmentOf(sandbox), RUN_RISK: 'irreversible', RUN_SETTLE_MS: '0' };
  return (await runHere(env, args, cwd)).stdout;
}
