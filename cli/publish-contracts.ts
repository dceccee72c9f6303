/** `npm run publish:contracts`: writes every published artefact again from the contracts. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PUBLISHED, publishedFiles } from './published-files.ts';

const files = Object.entries(await publishedFiles());
rmSync(PUBLISHED, { recursive: true, force: true });
for (const [path, text] of files) {
  const file = join(PUBLISHED, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
console.log(`${files.length} files in ${PUBLISHED}`);
