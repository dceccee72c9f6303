#!/usr/bin/env -S node --max-semi-space-size=2 --
/** Starts the program, in JavaScript that older Nodes can read, too: there it says what is missing, in place of a stack trace. */
import { existsSync } from 'node:fs';
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const EXIT_CANNOT = 2;
const EXIT_INTERRUPTED = 130;
/** The package is built for the oldest Node that is supported; a clone is run as it is written, by a Node that strips types. */
const isBuilt = existsSync(new URL('./main.js', import.meta.url));
const LEAST = isBuilt ? '20.19' : '24';
const REMEDY = isBuilt
  ? 'install it'
  : 'install it, or let npm bring it along (npm ci, with the install script of the package "node" allowed)';

// What dependencies report of their use to addresses on the Internet, wherever they look for a refusal.
Object.assign(process.env, {
  DO_NOT_TRACK: '1',
  PACT_DO_NOT_TRACK: 'true',
  REDOCLY_TELEMETRY: 'off',
  SCARF_ANALYTICS: 'false',
});

// What Node makes of the modules of a clone is kept, types stripped and JavaScript compiled, so that the next command starts sooner. A folder
// that cannot be written is no fault: then nothing is kept. A worker finds it by the variable.
if (!isBuilt) {
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
  nodeModule.enableCompileCache?.();
}

// Until a command listens to a signal itself, there is nothing to end in order; and the codes are those of a run.
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
