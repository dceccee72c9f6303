import type { RequestListener } from 'node:http';
import { type Diagnosis, examine } from '../../doctor/index.ts';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import { temporaryDirectory } from '../tools/directory.ts';

/** What the doctor says of a target with this environment. */
export async function diagnose(env: Record<string, string | undefined>): Promise<Diagnosis> {
  return examine(await readConfiguration({ env, options: {}, cwd: temporaryDirectory() }));
}

/** Everything that a diagnosis says, a remark a line. */
export const linesOf = ({ sections }: Diagnosis): string[] =>
  sections.flatMap(({ remarks }) => remarks).map(({ kind, text, advice }) => `${kind}: ${text} → ${advice ?? ''}`);

/** The faults of a diagnosis, each with its advice. */
export const faultsOf = (diagnosis: Diagnosis): string[] =>
  linesOf(diagnosis).flatMap((line) => (line.startsWith('fault: ') ? line.slice('fault: '.length) : []));

/** Credentials and addresses for a server that is none of the documents': of users and cards, and of the portal, too. */
export const atToken = (url: string) => ({
  TARGET_AUTH_URL: url,
  TARGET_BASE_URL: url,
  TARGET_TENANT_PATH: 'tenant',
  TARGET_CLIENT_ID: 'client',
  TARGET_CLIENT_SECRET: 'a-secret-of-the-client',
});
export const at = (url: string) => ({
  ...atToken(url),
  TARGET_PORTAL_URL: url,
  TARGET_PORTAL_LOGIN_ID: 'somebody@example.com',
  TARGET_PORTAL_PASSWORD: 'a-password-of-somebody',
});

/** Answers everything alike, with JSON where no other type is given. */
export const always =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
