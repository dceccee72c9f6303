import { lines, type OperationId } from './operation-ids.ts';

const routes = Object.entries(lines).map(([operation, line]) => {
  const [method, path] = line.split(' ') as [string, string];
  return { operation: operation as OperationId, method, segments: path.split('/') };
});

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** The operation of a request, with its path parameters; undefined when there is none. */
export function route(
  method: string,
  pathname: string,
): { operation: OperationId; path: Record<string, string> } | undefined {
  const asked = pathname.split('/');
  for (const { operation, method: wanted, segments } of routes) {
    if (method !== wanted || asked.length !== segments.length) continue;
    const path: Record<string, string> = {};
    const fits = segments.every((segment, i) => {
      const value = decoded(asked[i]!);
      if (!segment.startsWith('{')) return value === segment;
      if (!value) return false;
      path[segment.slice(1, -1)] = value;
      return true;
    });
    if (fits) return { operation, path };
  }
  return undefined;
}
