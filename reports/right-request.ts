/** Right requests of operations, in the notations of those who send them. Addresses and credentials are variables of their environment. */
import type { Operation } from '../contracts/operation.ts';
import { operation } from '../contracts/operations.ts';
import { requestExamples } from '../contracts/publish/examples.ts';
import { quote } from './shell.ts';

/** The variables that hold the addresses of interfaces. */
const ADDRESS = { token: 'TARGET_AUTH_URL', v3: 'TARGET_BASE_URL', v1: 'TARGET_PORTAL_URL' } as const;
/** Those that hold credentials, with what they are. */
export const CREDENTIALS: Readonly<Record<string, string>> = {
  TOKEN: 'an access token',
  SESSION_ID: 'the session of a login',
};
/** All of them. */
export const HELD = [...Object.values(ADDRESS), ...Object.keys(CREDENTIALS)];

/** A request whose parts hold variables. */
interface RightRequest {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body: string | undefined;
  isForm: boolean;
}

/**
 * A right request of an operation.
 * @param variable writes a variable by its name
 */
export function rightRequest(id: string, variable: (name: string) => string): RightRequest {
  const { method, path, query, interface: of, authorisation, body: documented } = operation(id);
  const { parameters = {}, body } = requestExamples()[id] ?? {};
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(parameters[name] ?? name)));
  const names = query.map(({ name }) => name).filter((name) => parameters[name] !== undefined);
  const pairs = names.map((name) => `${name}=${encodeURIComponent(String(parameters[name]))}`);
  const all = [...(authorisation === 'session' ? [`sessionId=${variable('SESSION_ID')}`] : []), ...pairs].join('&');
  const isForm = documented?.mediaType === 'application/x-www-form-urlencoded';
  const text = body && (isForm ? String(new URLSearchParams(Object.entries(body).map(asPair))) : JSON.stringify(body));
  return {
    method,
    url: `${variable(ADDRESS[of])}${of === 'v1' ? '/_ah/api/' : ''}${filled}${all && `?${all}`}`,
    headers: [...credentialOf(authorisation, variable), ...typeOf(documented, text)],
    body: text,
    isForm,
  };
}

const asPair = ([name, value]: [string, unknown]): [string, string] => [name, String(value)];

const credentialOf = (
  authorisation: Operation['authorisation'],
  variable: (name: string) => string,
): RightRequest['headers'] => (authorisation === 'bearer' ? [['Authorization', `Bearer ${variable('TOKEN')}`]] : []);

const typeOf = (documented: Operation['body'], text: string | undefined): RightRequest['headers'] =>
  documented && text !== undefined ? [['Content-Type', documented.mediaType]] : [];

/** A right request as a curl command. */
export function curlOf(id: string): string {
  const { method, url, headers, body } = rightRequest(id, (name) => `$${name}`);
  const given = headers.map(([name, value]) => ` -H "${name}: ${value}"`).join('');
  return `curl -sS -X ${method}${given}${body === undefined ? '' : ` --data ${quote(body)}`} "${url}"`;
}

/** A right request as a test for vitest, in a file that holds the variables. */
export function vitestOf(id: string): string {
  const { method, url, headers, body } = rightRequest(id, (name) => `\${${name}}`);
  const given = headers.map(([name, value]) => `'${name}': \`${value}\``).join(', ');
  return [
    `test('${id}', async () => {`,
    `  const answer = await fetch(\`${url}\`, {`,
    `    method: '${method}',`,
    ...(given ? [`    headers: { ${given} },`] : []),
    ...(body === undefined ? [] : [`    body: ${JSON.stringify(body)},`]),
    '  });',
    `  expect(answer.status).toBe(${operation(id).success?.status ?? 200});`,
    '});',
  ].join('\n');
}
