/** The input and output of every contender. */
import { readFileSync } from 'node:fs';
import { type BenchRequest, benchRequests } from '../requests.ts';

export interface Task {
  base: string;
  token: string;
  requests: BenchRequest[];
}

/** The target from the environment, with a token of its own, and the number of requests from the first argument. */
export async function task(): Promise<Task> {
  const { env } = process;
  const path = `/${env.TARGET_TENANT_PATH}/B2C_1_signupandsignin/oauth2/v2.0/token`;
  const answer = await fetch(env.TARGET_AUTH_URL + path, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: env.TARGET_CLIENT_ID!,
      client_secret: env.TARGET_CLIENT_SECRET!,
      scope: env.TARGET_SCOPE!,
    }),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const fixtures = JSON.parse(readFileSync(env.TARGET_FIXTURES!, 'utf8'));
  return { base: env.TARGET_BASE_URL!, token, requests: benchRequests(fixtures, Number(process.argv[2])) };
}

/** @param work resolves to the number of requests found good */
export async function report(count: number, work: () => Promise<number>): Promise<void> {
  const begin = performance.now();
  const good = await work();
  const ms = performance.now() - begin;
  if (good !== count) throw new Error(`${good} of ${count} requests were found good`);
  console.log(JSON.stringify({ perSecond: count / (ms / 1000) }));
}
