/** `npm run doctor`: what stands between here and a run, and what a run will miss. Changes nothing at the target. */
import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { styleText } from 'node:util';
import { CommanderError } from 'commander';
import { writeJson } from '../files/json.ts';
import type { PoolName } from '../helpers/cards/pools.ts';
import { ConfigurationError, readConfiguration } from '../helpers/configuration/index.ts';
import type { Options } from '../helpers/configuration/settings.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import { draftFixtures } from '../helpers/doctor/draft.ts';
import { type Diagnosis, examine, type Remark } from '../helpers/doctor/index.ts';
import { wantsColours } from '../reports/summary.ts';
import { withTarget } from '../run/target.ts';
import { configurable, givenOptions } from './options.ts';

const FINDING = 1;
const COULD_NOT = 2;

const POOLS: readonly PoolName[] = ['active', 'disposable', 'unused', 'fraud'];
type Pools = Partial<Record<PoolName, string[]>>;

/** `active=ID,ID`, repeatable. @throws CommanderError for another pool */
function poolOption(text: string, before: Pools = {}): Pools {
  const [, name, list] = /^(\w+)=(.+)$/.exec(text) ?? [];
  const pool = POOLS.find((candidate) => candidate === name);
  if (!pool || !list)
    throw new CommanderError(COULD_NOT, 'pool', `--pool is NAME=ID,... with one of ${POOLS.join(', ')}`);
  return { ...before, [pool]: [...(before[pool] ?? []), ...list.split(',').map((id) => id.trim())] };
}

const command = configurable(
  'npm run doctor --',
  'Checks the configuration, the way to the target and the fixtures; changes nothing there.',
)
  .option('--write-fixtures <file>', 'Write a fixtures file from what was found, for a person to complete.')
  .option(
    '--pool <name=id,...>',
    'Put cards into a pool of that file: active, disposable, unused or fraud.',
    poolOption,
  );

async function main(): Promise<number> {
  command.parse(process.argv.slice(2), { from: 'user' });
  const { writeFixtures, pool = {} } = command.opts<{ writeFixtures?: string; pool?: Pools }>();
  const { 'write-fixtures': _file, pool: _pool, ...options } = givenOptions(command);
  if (writeFixtures !== undefined && existsSync(writeFixtures))
    throw new CommanderError(
      COULD_NOT,
      'exists',
      `--write-fixtures: ${writeFixtures} exists already: name another file`,
    );
  if (writeFixtures === undefined && Object.keys(pool).length > 0)
    throw new CommanderError(COULD_NOT, 'pool', '--pool goes with --write-fixtures FILE');
  const configuration = await readConfiguration({
    env: process.env,
    options,
    cwd: process.cwd(),
  });
  return withTarget(configuration, (target) => report(target, options, writeFixtures, pool));
}

async function report(
  configuration: Configuration,
  options: Options,
  file: string | undefined,
  pools: Pools,
): Promise<number> {
  const { target, run } = configuration;
  console.log(`Target ${target.name}, risk ${run.risk}. The configuration holds no fault.`);
  const diagnosis = await examine(configuration);
  for (const { title, remarks } of diagnosis.sections) {
    console.log(`\n${title}`);
    for (const remark of remarks) console.log(inWords(remark));
  }
  if (file !== undefined) writeDraft(configuration, diagnosis, file, pools);
  const faults = diagnosis.sections.flatMap(({ remarks }) => remarks).filter(({ kind }) => kind === 'fault').length;
  console.log(`\n${nextCommand(diagnosis, faults, options, file)}`);
  return faults > 0 ? FINDING : 0;
}

const MARKS = { good: ['ok', 'green'], note: ['note', 'yellow'], fault: ['FAULT', 'red'] } as const;

function inWords({ kind, text, advice }: Remark): string {
  const [word, colour] = MARKS[kind];
  const mark = word.padEnd(5);
  const painted = wantsColours() ? styleText(colour, mark, { validateStream: false }) : mark;
  return `  ${painted}  ${text}${advice ? `\n         → ${advice}` : ''}`;
}

function writeDraft({ fixtures }: Configuration, { found }: Diagnosis, file: string, pools: Pools): void {
  const draft = draftFixtures(found, fixtures, pools);
  writeFileSync(file, `${writeJson(draft.fixtures, 2)}\n`, { flag: 'wx', mode: 0o600 });
  console.log(`\nFixtures file\n  written to ${resolve(file)}: complete it; "", 0, [] and {} count as not given.`);
  console.log('  Cards that checks change are in it only as far as they were given, by fixtures or --pool.');
  if (draft.leftOut.length > 0) console.log(`  Not copied, since they hold secrets: ${draft.leftOut.join(', ')}`);
}

const quoted = (text: string): string => (/^[\w./:@,=+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** The command that comes next, as it is to be typed. */
function nextCommand({ remedy }: Diagnosis, faults: number, options: Options, file: string | undefined): string {
  const given = Object.entries(options)
    .map(([name, value]) => ` --${name} ${quoted(value ?? '')}`)
    .join('');
  const line = (script: string, variables: Record<string, string> = {}) =>
    [...Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}`), script].join(' ') +
    (given ? ` --${given}` : '');
  if (Object.keys(remedy).length > 0) return `Next, with what fits:\n  ${line('npm run doctor', remedy)}`;
  if (faults > 0) return `Next, when what is marked FAULT is put right:\n  ${line('npm run doctor')}`;
  if (file !== undefined)
    return `Next, when the file is completed:\n  ${line('npm run doctor', { TARGET_FIXTURES: file })}`;
  return `Next:\n  ${line('npm start')}`;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.exitCode = error instanceof CommanderError ? error.exitCode : COULD_NOT;
  if (error instanceof ConfigurationError) for (const fault of error.faults) console.error(fault);
  else if (error instanceof CommanderError && error.code !== 'commander.helpDisplayed') console.error(error.message);
  else if (!(error instanceof CommanderError))
    console.error(`the doctor could not do its work: ${(error as Error).message}`);
}
