/** `npm run sandbox`: serves the embedded sandbox on its own until it is interrupted. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startSandbox } from '../sandbox/index.ts';

const usage = `Usage: npm run sandbox -- [options]

Serves the embedded sandbox on 127.0.0.1 and prints the environment that points a run at it.
POST /__reset restores its first state; POST /__clock {"advanceSeconds": n} moves its clock forward.

  --port N          port; a free one by default
  --fixtures FILE   where to write the fixtures file; a temporary file by default, removed at the end
  --customers N     customers within reach (150)
  --cards N         cards within reach beside those set aside in the fixtures file (150)
  --help            this text
`;

interface Arguments {
  port: number;
  fixtures: string | undefined;
  customers: number | undefined;
  cards: number | undefined;
}

/** A whole number, `undefined` when the option is not given. @throws Error naming the option */
function wholeNumber(option: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > most) throw new Error(`--${option} is a whole number up to ${most}, not ${text}`);
  return number;
}

/** `undefined` when help is asked for. @throws Error for what is no option, or has a bad value */
function readArguments(): Arguments | undefined {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { port: text, fixtures: text, customers: text, cards: text, help: { type: 'boolean' } },
  });
  if (values.help) return undefined;
  return {
    port: wholeNumber('port', values.port, 65_535) ?? 0,
    fixtures: values.fixtures,
    customers: wholeNumber('customers', values.customers, 1_000_000),
    cards: wholeNumber('cards', values.cards, 1_000_000),
  };
}

/** For a POSIX shell and for dotenv alike. */
function quoted(value: string): string {
  return /^[\w./:@,-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

async function serve({ port, fixtures, customers, cards }: Arguments): Promise<void> {
  const sandbox = await startSandbox({
    port,
    ...(customers !== undefined && { customers }),
    ...(cards !== undefined && { cards }),
  });
  const folder = fixtures === undefined ? await mkdtemp(join(tmpdir(), 'sandbox-')) : undefined;
  const stop = async () => {
    await sandbox.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  const file = resolve(fixtures ?? join(folder ?? '', 'fixtures.json'));
  try {
    await writeFile(file, `${JSON.stringify(sandbox.fixtures, null, 2)}\n`);
  } catch (error) {
    await stop();
    throw error;
  }
  // Once: a second signal ends the process at once.
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const lines = Object.entries({ ...sandbox.environment, TARGET_FIXTURES: file });
  console.log(`# The sandbox serves on ${sandbox.url} until it is interrupted.`);
  for (const [name, value] of lines) console.log(`export ${name}=${quoted(value)}`);
}

try {
  const given = readArguments();
  if (given) await serve(given);
  else console.log(usage);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
