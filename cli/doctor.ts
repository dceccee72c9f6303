/**
 * `doctor`: finds what prevents a run, and what a run will miss. Changes nothing at the target, except that
 * `--write-fixtures` at risk irreversible makes orders and CIP checks.
 */
import { accessSync, constants, existsSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { styleText } from 'node:util';
import type { Fixtures } from '../contracts/fixtures.ts';
import { requirements } from '../contracts/requirements/index.ts';
import { draftFixtures } from '../doctor/draft.ts';
import { type Diagnosis, examine, type Remark } from '../doctor/index.ts';
import { tryPortal } from '../doctor/trials.ts';
import { writeJson } from '../files/json.ts';
import { POOLS, type PoolName } from '../helpers/cards/pools.ts';
import { readConfiguration } from '../helpers/configuration/index.ts';
import { configuredRedactor } from '../helpers/configuration/redactor.ts';
import type { Options } from '../helpers/configuration/settings.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { settlingInWords } from '../helpers/settling.ts';
import { callOf } from '../reports/call-of.ts';
import { RecordError, readRecord } from '../reports/record.ts';
import { word } from '../reports/shell.ts';
import { wantsColours } from '../reports/summary.ts';
import { count, visible } from '../reports/text.ts';
import { withTarget } from '../run/target.ts';
import { tryOut } from '../run/try-out.ts';
import { program } from './command.ts';
import { EXIT_FINDING } from './exit-codes.ts';
import { configurable, givenOptions, OF_ASKING } from './options.ts';

/** The use and fate of the cards in each pool. */
const UNLOCKED: Record<PoolName, string> = {
  active: 'Active, one currency, 10.00 or more: money is moved between them and back, and they are suspended and freed',
  disposable:
    'Active, some with a balance: provisioned, reissued, given a PIN, marked lost and closed; two are used up by a run',
  unused: 'not yet activated: one is activated by a run, and stays so',
  fraud: 'with reported fraud: one is unmarked by a run, and stays so',
};

type Pools = Partial<Record<PoolName, string[]>>;

/** Parses `active=ID,ID`; repeatable. @throws Error for another pool */
function poolOption(text: string, before: Pools = {}): Pools {
  const [, name, list] = /^(\w+)=(.+)$/.exec(text) ?? [];
  const pool = POOLS.find((candidate) => candidate === name);
  if (!pool || !list) throw new Error(`--pool: must be NAME=ID,... with NAME one of ${POOLS.join(', ')}`);
  return { ...before, [pool]: [...(before[pool] ?? []), ...list.split(',').map((id) => id.trim())] };
}

const command = configurable(
  'Checks the configuration, the connection to the target and the fixtures. Changes nothing at the target, except that --write-fixtures at risk irreversible makes orders and CIP checks.',
  undefined,
  OF_ASKING,
)
  .option(
    '--write-fixtures <file>',
    'Write a fixtures file from the data found, to be completed by hand. At risk irreversible, orders and CIP checks are made to find more.',
  )
  .option(
    '--pool <name=id,...>',
    'Look at these cards as at those of a pool, and put them into it in that file: active, disposable, unused or fraud.',
    poolOption,
  );

export const doctor = program('doctor', command, async () => {
  const { writeFixtures, pool = {} } = command.opts<{ writeFixtures?: string; pool?: Pools }>();
  const { 'write-fixtures': _file, pool: _pool, ...options } = givenOptions(command);
  if (writeFixtures !== undefined && existsSync(writeFixtures))
    throw new Error(`--write-fixtures: ${writeFixtures} already exists; name another file`);
  if (writeFixtures !== undefined) requireWritable(dirname(resolve(writeFixtures)));
  const given = await readConfiguration({
    env: process.env,
    options,
    cwd: process.cwd(),
  });
  return withTarget(given, (target) => report(withPools(target, pool), options, writeFixtures, pool));
});

/** The configuration with the cards of --pool in its fixtures, so that they are looked at like these. */
const withPools = (configuration: Configuration, pools: Pools): Configuration => ({
  ...configuration,
  fixtures: { ...configuration.fixtures, cards: { ...configuration.fixtures.cards, ...pools } },
});

/** Checks writability first, since the findings may cost orders. @throws Error when the directory is not writable */
function requireWritable(directory: string): void {
  try {
    accessSync(directory, constants.W_OK);
  } catch (error) {
    throw new Error(`--write-fixtures: the directory is not writable (${(error as Error).message}); name another file`);
  }
}

async function report(
  configuration: Configuration,
  options: Options,
  file: string | undefined,
  pools: Pools,
): Promise<number> {
  const { target, run } = configuration;
  const name = configuredRedactor(configuration).sentence(target.name);
  console.log(`Target ${name}, risk ${run.risk}. The configuration is valid.`);
  const diagnosis = await examine(configuration);
  for (const { title, remarks } of diagnosis.sections) {
    console.log(`\n${title}`);
    for (const remark of remarks) console.log(inWords(remark));
  }
  const last = whatLastRunMeasured(configuration);
  if (last) console.log(`\nThe last run\n${inWords({ kind: 'note', text: last })}`);
  if (file !== undefined) {
    const portal = await triedPortal(configuration);
    writeDraft(configuration, { ...diagnosis.found, portal: { ...diagnosis.found.portal, ...portal } }, file, pools);
  }
  const faults = diagnosis.sections.flatMap(({ remarks }) => remarks).filter(({ kind }) => kind === 'fault').length;
  console.log(`\n${nextCommand(configuration, diagnosis, faults, options, { file, pools })}`);
  return faults > 0 ? EXIT_FINDING : 0;
}

/** The settle time that fits the target better, by the record in the report directory. */
function whatLastRunMeasured({ target, run }: Configuration): string | undefined {
  try {
    const { conformance } = readRecord(run.reportDir);
    const { settled } = conformance.run;
    const isOfThis = conformance.target.name === target.name && settled?.settleMs === run.settleMs;
    return isOfThis ? settlingInWords(settled) : undefined;
  } catch (error) {
    if (error instanceof RecordError) return undefined;
    throw error;
  }
}

const MARKS = { good: ['ok', 'green'], note: ['note', 'yellow'], fault: ['FAULT', 'red'] } as const;

function inWords({ kind, text, advice }: Remark): string {
  const [word, colour] = MARKS[kind];
  const mark = word.padEnd(5);
  const painted = wantsColours() ? styleText(colour, mark, { validateStream: false }) : mark;
  return `  ${painted}  ${text}${advice ? `\n         → ${advice}` : ''}`;
}

/** Tries programs and persons with orders and CIP checks, if the risk allows that. */
async function triedPortal(configuration: Configuration): Promise<Fixtures['portal']> {
  const { run, target } = configuration;
  if (!target.portalUrl) return {};
  console.log('\nPrograms and persons of the portal');
  if (run.risk !== 'irreversible') {
    console.log('  not tried: orders and CIP checks need RUN_RISK=irreversible');
    return {};
  }
  const { portal, lines } = await tryOut(configuration, tryPortal);
  for (const line of lines) console.log(`  ${visible(line)}`);
  return portal;
}

function writeDraft({ fixtures }: Configuration, found: Fixtures, file: string, pools: Pools): void {
  const draft = draftFixtures(found, fixtures, pools);
  writeFileSync(file, `${writeJson(draft.fixtures, 2)}\n`, { flag: 'wx', mode: 0o600 });
  console.log(`\nFixtures file\n  written to ${resolve(file)}: complete it; "", 0, [] and {} count as not given.`);
  console.log('  Pools hold only cards given by fixtures or --pool, since checks change them:');
  for (const [pool, unlocked] of Object.entries(UNLOCKED)) {
    const number = requirements.filter(({ needs }) => needs.includes(`cards.${pool}`)).length;
    console.log(`    ${pool.padEnd(10)} ${unlocked} (needed by ${count(number, 'requirement')})`);
  }
  if (draft.leftOut.length > 0) console.log(`  Not copied because they hold secrets: ${draft.leftOut.join(', ')}`);
}

/** The last line: the next command, ready to be typed, with all given options. */
function nextCommand(
  { target, run }: Configuration,
  { remedy, missing }: Diagnosis,
  faults: number,
  options: Options,
  { file, pools }: { file: string | undefined; pools: Pools },
): string {
  // Set for this command alone, it would be lost.
  const risk = target.embedded || run.risk === 'safe' ? {} : { risk: run.risk };
  const given = Object.entries({ ...risk, ...options })
    .map(([name, value]) => ` --${name} ${word(value ?? '')}`)
    .join('');
  const line = (subcommand: string, variables: Record<string, string> = {}, more = '') => {
    const assigned = Object.entries(variables).map(([name, value]) => `${name}=${word(value)}`);
    const call = callOf(subcommand) + more + given;
    return [...assigned, call.replace(/ --$/, '')].join(' ');
  };
  if (Object.keys(remedy).length > 0) return `Next, with the settings that work:\n  ${line('doctor', remedy)}`;
  if (faults > 0) return `Next, after fixing what is marked FAULT:\n  ${line('doctor')}`;
  if (file !== undefined)
    return `Next, after completing the file (${line('doctor', { TARGET_FIXTURES: file })} shows what is still missing):\n  ${line('run', { TARGET_FIXTURES: file })}`;
  if (!target.embedded && (missing > 0 || Object.keys(pools).length > 0)) {
    const named = Object.entries(pools).map(([name, ids]) => ` --pool ${word(`${name}=${ids.join(',')}`)}`);
    const draft = line('doctor', {}, ` --write-fixtures fixtures.new.json${named.join('')}`);
    return `Next, to fill in what is missing:\n  ${draft}\nor without it:\n  ${line('run')}`;
  }
  return `Next:\n  ${line('run')}`;
}
