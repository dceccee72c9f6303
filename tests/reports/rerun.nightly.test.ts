import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
import { readRecord } from '../../reports/record.ts';
import { startSandbox } from '../../sandbox/index.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { runHere } from '../tools/run-in-process.ts';
import { environmentOf } from '../tools/sandboxes.ts';

/** Of each of these families the first after the middle is tried that needs no configuration of its own, and that the forms of this seed show. */
const FAMILIES = {
  contractFaults,
  portalFaults,
  changingCardFaults,
  listingFaults,
  readingFaults,
  tokenFaults,
  generatedFaults,
  filterFaults,
};

const cases = Object.entries(FAMILIES).map(([family, faults]: [string, readonly Fault[]]) => {
  const isMust = (id: string) => requirementById(id).level === 'must';
  const plain = faults.filter(({ configure, condemns }) => !configure && condemns.some(isMust));
  return [family, plain.slice(Math.floor(plain.length / 2))] as const;
});

test.each(cases)('the command printed for a failure fails the same way: %s', async (_family, candidates) => {
  const cwd = temporaryDirectory();
  const exchanges = () => readFileSync(join(cwd, 'reports/latest/exchanges.ndjson'), 'utf8');
  const waysIn = (directory: string, id: string) =>
    fingerprints(readRecord(join(cwd, directory)).conformance.requirements.find((one) => one.id === id)!);
  for (const fault of candidates) {
    const printed = printedReruns(await runAgainst(fault, cwd, ['--report-dir', 'reports/latest', '--seed', '20260']));
    const id = fault.condemns.find((one) => printed.has(one));
    if (id === undefined) continue;
    const command = printed.get(id)!;
    const before = exchanges();
    await runAgainst(fault, cwd, command.replace('npm start -- ', '').split(' '));
    expect(waysIn(command.split('--report-dir ')[1]!, id), command).toEqual(waysIn('reports/latest', id));
    return expect(exchanges()).toBe(before);
  }
  expect.unreachable('the seed shows none of them');
});

/** The commands in the terminal output, by the requirements that each stands under: one that failed, and those that failed for the same reason. */
function printedReruns(text: string): Map<string, string> {
  const findings = text.split(/^FAILED (?=\S+$)/m).slice(1);
  return new Map(
    findings.flatMap((finding) => {
      const [, others = ''] = /^ +also +(.*)$/m.exec(finding) ?? [];
      const [, command = ''] = /^ +rerun +(npm start -- .*)$/m.exec(finding) ?? [];
      return [finding.split('\n', 1)[0]!, ...others.split(', ')].map((id) => [id, command] as const);
    }),
  );
}

/** What a run prints against a fresh sandbox with the fault. */
async function runAgainst({ sandbox: options }: Fault, cwd: string, args: string[]): Promise<string> {
  await using sandbox = await startSandbox(options);
  const env = { ...environmentOf(sandbox), RUN_RISK: 'irreversible', RUN_SETTLE_MS: '0' };
  return (await runHere(env, args, cwd)).stdout;
}
