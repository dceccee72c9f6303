/** Where a function is written, as the engine that runs it knows. */
import { Session } from 'node:inspector';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A place in a file: path relative to a root, and line from 1. */
export interface FunctionPlace {
  file: string;
  line: number;
}

interface Located {
  value: { value: { scriptId: string; lineNumber: number } };
}

let session: Session | undefined;
const urls = new Map<string, string>();

/** A connection to the engine of this process, which tells of all modules that are loaded. */
function connected(): Session {
  if (session) return session;
  session = new Session();
  session.connect();
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => urls.set(scriptId, url));
  session.post('Debugger.enable');
  return session;
}

/** @returns the place of a function below a root; undefined where the engine knows none */
export function placeOfFunction(root: string, asked: (...args: never[]) => unknown): FunctionPlace | undefined {
  const engine = connected();
  const holder = globalThis as { asked?: unknown };
  holder.asked = asked;
  let place: FunctionPlace | undefined;
  engine.post('Runtime.evaluate', { expression: 'globalThis.asked' }, (_, evaluated) => {
    const objectId = evaluated?.result.objectId;
    if (objectId === undefined) return;
    engine.post('Runtime.getProperties', { objectId }, (_error, { internalProperties = [] }) => {
      const found = internalProperties.find(({ name }) => name === '[[FunctionLocation]]') as Located | undefined;
      const url = found && urls.get(found.value.value.scriptId);
      if (!found || !url?.startsWith('file:')) return;
      const file = relative(root, fileURLToPath(url.replace(/\?.*$/, ''))).replaceAll(sep, '/');
      place = { file, line: found.value.value.lineNumber + 1 };
    });
  });
  delete holder.asked;
  return place;
}
