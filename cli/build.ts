/**
 * `npm run build`: builds the package in dist/: JavaScript, declarations, source maps, and the files that these read.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
/** Files, other than modules, that the code reads. */
const ASSETS = [
  'cli/start.js',
  'run/vitest/conformance.test.js',
  'reports/page/page.css',
  'reports/page/page.js',
  'reports/palette.css',
  'reports/dossier/dossier.css',
  'reports/overview.css',
  'reports/overview.js',
  'contracts/published',
  'docs/readings.md',
];

rmSync(DIST, { recursive: true, force: true });
const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: ROOT, stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
// Faults exist only in a clone; the package uses their types only.
rmSync(join(DIST, 'proof'), { recursive: true, force: true });
for (const asset of ASSETS) cpSync(join(ROOT, asset), join(DIST, asset), { recursive: true });

// The only members that the code reads.
const { name, version, type } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, string>;
writeFileSync(join(DIST, 'package.json'), JSON.stringify({ name, version, type }));
