/** `sandbox`: serves the embedded sandbox until it is interrupted. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { startSandbox } from '../sandbox/index.ts';
import { program } from './command.ts';
import { numbered } from './numbers.ts';

interface Options {
  port: number;
  fixtures?: string;
  customers?: number;
  cards?: number;
}

const command = new Command()
  .description('Serves the embedded sandbox on 127.0.0.1 and prints the environment that points a run at it.')
  .option('--port <n>', 'port; a free one by default', numbered('port', 65_535), 0)
  .option('--fixtures <file>', 'where to write the fixtures file; a temporary file by default, removed at the end')
  .option('--customers <n>', 'number of customers within reach (default: 150)', numbered('customers', 1_000_000))
  .option(
    '--cards <n>',
    'number of cards within reach, besides those in the fixtures file (default: 150)',
    numbered('cards', 1_000_000),
  )
  .addHelpText(
    'after',
    '\nPOST /__reset restores its initial state; POST /__clock {"advanceSeconds": n} moves its clock forward.',
  );

export const sandbox = program('sandbox', command, async () => {
  await serve(command.opts<Options>());
  return 0;
});

/** Quotes a value so that it works in a POSIX shell and in dotenv. */
function quoted(value: string): string {
  return /^[\w./:@,-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

async function serve({ port, fixtures, customers, cards }: Options): Promise<void> {
  const served = await startSandbox({
    port,
    ...(customers !== undefined && { customers }),
    ...(cards !== undefined && { cards }),
  });
  const folder = fixtures === undefined ? await mkdtemp(join(tmpdir(), 'sandbox-')) : undefined;
  const stop = async () => {
    await served.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  const file = resolve(fixtures ?? join(folder ?? '', 'fixtures.json'));
  try {
    await writeFile(file, `${JSON.stringify(served.fixtures, null, 2)}\n`);
  } catch (error) {
    await stop();
    throw error;
  }
  // Registered once, so that a second signal ends the process immediately.
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const lines = Object.entries({ ...served.environment, TARGET_FIXTURES: file });
  console.log(`# The sandbox serves on ${served.url} until it is interrupted.`);
  for (const [name, value] of lines) console.log(`export ${name}=${quoted(value)}`);
}
