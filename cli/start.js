#!/usr/bin/env -S node --max-semi-space-size=2 --
/**
 * Starts the program. Written in JavaScript that older Node versions can parse, to print the required version instead
 * of a stack trace.
 */
import { existsSync } from 'node:fs';
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const EXIT_CANNOT = 2;
const EXIT_INTERRUPTED = 130;
/** The package is built for the oldest supported Node; a clone needs a Node that strips types. */
const isBuilt = existsSync(new URL('./main.js', import.meta.url));
const LEAST = isBuilt ? '20.19' : '24';
const REMEDY = isBuilt
  ? 'install it'
  : 'install it, or let npm bring it along (npm ci, with the install script of the package "node" allowed)';

// Opts out of usage reports that dependencies send over the Internet.
Object.assign(process.env, {
  DO_NOT_TRACK: '1',
  PACT_DO_NOT_TRACK: 'true',
  REDOCLY_TELEMETRY: 'off',
  SCARF_ANALYTICS: 'false',
});

// Caches a clone's compiled modules, so that the next command starts sooner. An unwritable folder only means no cache.
// Workers find it by the variable.
if (!isBuilt) {
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
  nodeModule.enableCompileCache?.();
}

// Until a command handles a signal itself there is nothing to end in order; exit codes are those of a run.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(EXIT_INTERRUPTED);
  });

if (process.versions.node.localeCompare(LEAST, 'en', { numeric: true }) >= 0)
  await import(isBuilt ? './main.js' : './main.ts');
else {
  console.error(`Node ${LEAST} or later is needed, this is ${process.versions.node}: ${REMEDY}.`);
  process.exitCode = EXIT_CANNOT;
}
