/** `npm run build`: the package that is packed, in dist/: JavaScript, declarations, source maps, and the files that these read. */
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
/** What the code reads beside itself. */
const ASSETS = [
  'package.json',
  'cli/start.js',
  'reports/page/page.css',
  'reports/page/page.js',
  'reports/matrix.css',
  'reports/matrix.js',
  'contracts/published',
];

rmSync(DIST, { recursive: true, force: true });
const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: ROOT, stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
// Faults are of the clone: what is compiled of them is a type.
rmSync(join(DIST, 'tests'), { recursive: true, force: true });
for (const asset of ASSETS) cpSync(join(ROOT, asset), join(DIST, asset), { recursive: true });
