/**
 * `npm run publish:contracts`: regenerates every published artefact from the contracts, or writes examples with a
 * target's data.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import type { Fixtures } from '../contracts/fixtures.ts';
import type { TargetValues } from '../contracts/publish/examples.ts';
import { parseFixtures } from '../helpers/configuration/fixtures-file.ts';
import { Invalid, readBytes } from '../helpers/configuration/invalid.ts';
import { program } from './command.ts';
import { filesForTarget, PUBLISHED, publishedFiles } from './published-files.ts';

const command = new Command()
  .description(
    `Regenerates every published artefact in ${PUBLISHED}. With a fixtures file, writes instead to another directory the OpenAPI documents with examples from that target, and their overlays.`,
  )
  .option(
    '--fixtures <file>',
    'fixtures file of the target whose data fills the examples; TARGET_* variables add credentials',
    readFixtures,
  )
  .option('--out <dir>', 'directory for files with data of a target; readable by you only', 'reports/contracts');

export const publishContracts = program('publish:contracts', command, async (parsed) => {
  const { fixtures, out } = parsed.opts<{ fixtures?: Fixtures; out: string }>();
  if (fixtures) return write(out, filesForTarget({ ...fixtures, ...credentialsOf(process.env) }), 0o600);
  const files = await publishedFiles();
  rmSync(PUBLISHED, { recursive: true, force: true });
  write(PUBLISHED, files);
});

function readFixtures(file: string): Fixtures {
  try {
    return parseFixtures(readBytes(file));
  } catch (error) {
    if (error instanceof Invalid) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

/** Complete credentials from the variables of a run. */
function credentialsOf(env: NodeJS.ProcessEnv): Pick<TargetValues, 'tokenRequest' | 'login'> {
  const { TARGET_CLIENT_ID, TARGET_CLIENT_SECRET, TARGET_SCOPE, TARGET_GRANT_TYPE = 'client_credentials' } = env;
  const { TARGET_PORTAL_LOGIN_ID, TARGET_PORTAL_PASSWORD } = env;
  return {
    ...(TARGET_CLIENT_ID &&
      TARGET_CLIENT_SECRET && {
        tokenRequest: {
          grant_type: TARGET_GRANT_TYPE,
          client_id: TARGET_CLIENT_ID,
          client_secret: TARGET_CLIENT_SECRET,
          ...(TARGET_SCOPE && { scope: TARGET_SCOPE }),
        },
      }),
    ...(TARGET_PORTAL_LOGIN_ID &&
      TARGET_PORTAL_PASSWORD && { login: { loginID: TARGET_PORTAL_LOGIN_ID, password: TARGET_PORTAL_PASSWORD } }),
  };
}

function write(directory: string, files: Record<string, string>, mode?: number): undefined {
  for (const [path, text] of Object.entries(files)) {
    const file = join(directory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
  }
  console.log(`${Object.keys(files).length} files in ${directory}`);
}

if (import.meta.main) process.exitCode = await publishContracts(process.argv.slice(2));
