/**
 * `npm run selfcheck`: proves the suite, prints the two numbers and any survivors, and writes docs/trust.md, and to
 * reports/ selfcheck.md (every fault and variant) and selfcheck.json.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { matches } from '../contracts/pattern.ts';
import { requirements } from '../contracts/requirements/index.ts';
import { faults } from '../proof/second-target/faults.ts';
import { withSection, withSectionsOf } from '../proof/section.ts';
import { type Measured, measure } from '../proof/selfcheck/causes.ts';
import { causesSection } from '../proof/selfcheck/causes-section.ts';
import type { Judged } from '../proof/selfcheck/form-worker.ts';
import { targetNames } from '../proof/selfcheck/planted.ts';
import { isLeftAlone } from '../proof/selfcheck/prove.ts';
import { judgeForms } from '../proof/selfcheck/second-target.ts';
import { holds, type Selfcheck, selfcheck } from '../proof/selfcheck/selfcheck.ts';
import { longList, trustPage } from '../proof/selfcheck/trust.ts';
import * as third from '../proof/third-target/index.ts';
import { variants } from '../proof/variants/index.ts';
import { program } from './command.ts';
import { EXIT_CANNOT, EXIT_FINDING } from './exit-codes.ts';
import { unknownId } from './explain.ts';

const ROOT = join(import.meta.dirname, '..');
const TRUST = join(ROOT, 'docs/trust.md');
/** Interval of progress lines without a terminal, in milliseconds. */
const PLAIN_INTERVAL_MS = 10_000;

const command = new Command()
  .description('Proves the suite: every fault is condemned by name, and no sound variant is accused.')
  .option(
    '--only <id,...>',
    'only the faults that condemn these requirements: ids, prefixes, patterns with *; writes no file',
  )
  .option('--sample', 'so many faults that each must requirement fails, and some of the variants; writes no file')
  .option('--only-variant <name>', 'only the packs that hold this variant: a name, or a pattern with *; writes no file')
  .option('--second-target <id,...>', 'only these faults of the second target: ids, patterns with *; writes no file')
  .option(
    '--third-target <name,...>',
    'only these freedoms and faults of the third target: names, patterns with *; writes no file',
  )
  .option('--causes', 'plants several faults in one target, and counts findings by cause; writes that section alone');

interface Options {
  only?: string;
  onlyVariant?: string;
  sample?: true;
  secondTarget?: string;
  thirdTarget?: string;
  causes?: true;
}

const start = performance.now();

const prove = program('selfcheck', command, async () => {
  const options = command.opts<Options>();
  if (options.secondTarget !== undefined) return proveSecond(options.secondTarget.split(','));
  if (options.thirdTarget !== undefined) return proveThird(options.thirdTarget.split(','));
  if (options.causes) return countCauses();
  const only = options.only?.split(',') ?? [];
  for (const pattern of only) if (!requirements.some(({ id }) => matches(pattern, id))) throw unknownId(pattern);
  const { onlyVariant, sample = false } = options;
  if (onlyVariant !== undefined && !variants.some(({ name }) => matches(onlyVariant, name)))
    throw new Error(`no variant has the name ${onlyVariant}`);
  const result = await selfcheck(progress(), {
    only,
    sample,
    recording: true,
    ...(onlyVariant !== undefined && { onlyVariant }),
  });
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K');
  if (only.length === 0 && onlyVariant === undefined && !sample) write(result);
  report(result);
  if (result.void !== undefined) return EXIT_CANNOT;
  return holds(result) ? 0 : EXIT_FINDING;
});

/** Measures findings of several faults in one target, prints what is not as it should be, and writes the figures. */
async function countCauses(): Promise<number> {
  const measured = await measure(targetNames);
  writeFileSync(TRUST, withSection(readFileSync(TRUST, 'utf8'), 'selfcheck, causes', causesSection(measured)));
  const sum = (of: (one: Measured) => readonly string[]) => measured.reduce((total, one) => total + of(one).length, 0);
  for (const one of measured) {
    for (const line of one.misnamed) console.log(`names another operation: ${line}`);
    for (const line of one.misattributed) console.log(`hidden by another: ${line}`);
  }
  console.log(`${sum(({ findings }) => findings)} findings of ${sum(({ causes }) => causes)} causes`);
  return sum(({ misnamed, misattributed }) => [...misnamed, ...misattributed]) === 0 ? 0 : EXIT_FINDING;
}

/** Tries faults of the second target, and prints what condemns each. @throws Error when a pattern names none */
async function proveSecond(patterns: readonly string[]): Promise<number> {
  const chosen = faults.filter(({ id }) => patterns.some((pattern) => matches(pattern, id)));
  if (chosen.length === 0) throw new Error(`no fault of the second target has the id ${patterns.join(', ')}`);
  const judged = await judgeForms(chosen.map(({ id }) => ({ freedoms: [], faults: [id] })));
  return sayForms(judged) ? 0 : EXIT_FINDING;
}

/** Tries freedoms and faults of the third target, each alone, and prints what accuses each. @throws Error when a pattern names none */
async function proveThird(patterns: readonly string[]): Promise<number> {
  const isChosen = ({ name }: { name: string }) => patterns.some((pattern) => matches(pattern, name));
  const named = ({ name }: { name: string }) => name;
  const forms = [
    ...third.freedoms.filter(isChosen).map((one) => ({ freedoms: [named(one)], faults: [] })),
    ...third.faults.filter(isChosen).map((one) => ({ freedoms: [], faults: [named(one)] })),
  ];
  if (forms.length === 0) throw new Error(`the third target has no freedom or fault named ${patterns.join(', ')}`);
  const judged = await judgeForms(forms.map((form) => ({ target: 'third', ...form })));
  return sayForms(judged) ? 0 : EXIT_FINDING;
}

/** Prints what accuses each form. @returns whether each faulty one is condemned, and no sound one accused */
function sayForms(judged: readonly Judged[]): boolean {
  const isRight = ({ faults: ids, failed, broke }: Judged) => !broke && ids.length > 0 === failed.length > 0;
  for (const one of judged) {
    const { freedoms, faults: ids, failed, blocked, broke } = one;
    const what =
      ids.length > 0 ? (failed.length > 0 ? 'condemned' : 'survives') : isRight(one) ? 'left alone' : 'accused';
    const by = failed.map(({ requirement, message }) => `\n  ${requirement}: ${message}`);
    const left = blocked.length > 0 ? `${blocked.length} blocked: ${blocked[0]!.message}` : undefined;
    const why = [broke, left].filter(Boolean).join(', ');
    console.log(`${what}: ${[...freedoms, ...ids].join()}${why && ` (${why})`}${by.join('')}`);
  }
  console.log(`${judged.filter(isRight).length} of ${judged.length} are judged rightly`);
  return judged.every(isRight);
}

/** Counts proofs: live on a terminal, elsewhere a line at intervals. */
function progress(): Parameters<typeof selfcheck>[0] {
  let done = 0;
  let printedAt = performance.now();
  return (proof, of) => {
    done++;
    if (proof.kind === 'broke') console.error(`broke: ${proof.name}: ${proof.message}`);
    if (process.stderr.isTTY) process.stderr.write(`\r${done}/${of} proofs`);
    else if (performance.now() - printedAt > PLAIN_INTERVAL_MS) {
      printedAt = performance.now();
      console.error(`${done}/${of} proofs`);
    }
  };
}

function write(result: Selfcheck): void {
  mkdirSync(join(ROOT, 'reports'), { recursive: true });
  writeFileSync(join(ROOT, 'reports/selfcheck.json'), `${JSON.stringify(result, null, 1)}\n`);
  writeFileSync(join(ROOT, 'reports/selfcheck.md'), longList(result));
  writeFileSync(TRUST, withSectionsOf(trustPage(result), readFileSync(TRUST, 'utf8')));
}

function report({ faults, whole, variants: proved, broke, unproved, void: why }: Selfcheck): void {
  const survivors = [...faults, ...whole].filter(({ missed }) => missed.length > 0);
  const accused = proved.filter((variant) => !isLeftAlone(variant));
  for (const { name, missed, killedBy } of survivors)
    console.log(
      `survives: ${name}: ${missed.join(', ')} did not fail${killedBy.length > 0 ? `, ${killedBy.join(', ')} did` : ''}`,
    );
  for (const { name, accused, blocked } of proved)
    for (const { requirement, message } of [...accused, ...blocked])
      console.log(`accused: ${name}: ${requirement}: ${message}`);
  for (const { name, message } of broke) console.log(`broke: ${name}: ${message}`);
  for (const id of unproved) console.log(`no fault makes it fail: ${id}`);
  const condemned = faults.filter(({ missed }) => missed.length === 0).length;
  if (faults.length > 0)
    console.log(
      `${condemned} of ${faults.length} faulty implementations condemned, naming the right requirement (${whole.length} of them by full runs over HTTP, too)`,
    );
  if (proved.length > 0) console.log(`${accused.length} of ${proved.length} conformant implementations accused`);
  console.log(`${Math.round((performance.now() - start) / 1000)} seconds`);
  if (why) console.error(`The result is void: ${why}`);
}

process.exitCode = await prove(process.argv.slice(2));
