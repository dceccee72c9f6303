/** Starts the program, in JavaScript that older Nodes can read too: they are told what is missing, instead of a stack trace. */

const LEAST = 24;
const EXIT_CANNOT = 2;

// What dependencies report of their use to addresses on the Internet, wherever they look for a refusal.
Object.assign(process.env, {
  DO_NOT_TRACK: '1',
  PACT_DO_NOT_TRACK: 'true',
  REDOCLY_TELEMETRY: 'off',
  SCARF_ANALYTICS: 'false',
});

if (Number.parseInt(process.versions.node, 10) >= LEAST) await import('./main.ts');
else {
  console.error(
    `Node ${LEAST} or later is needed, this is ${process.versions.node}: install it, or let npm bring it along (npm ci, with the install script of the package "node" allowed).`,
  );
  process.exitCode = EXIT_CANNOT;
}
