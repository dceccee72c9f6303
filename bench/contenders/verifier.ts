/** Pact's Verifier, which sends one request at a time; matches status, media type and the types of all members. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Verifier } from '@pact-foundation/pact';
import { temporaryDirectory } from '../processes.ts';
import { urlOf } from '../requests.ts';
import { report, task } from './contender.ts';

const { base, token, requests } = await task();
const directory = temporaryDirectory();
const { origin, pathname } = new URL(base);

const interactions = await Promise.all(
  requests.map(async (one, i) => {
    const url = new URL(urlOf(base, one));
    const authorization = [`Bearer ${token}`];
    const answer = await fetch(url, { headers: { authorization: authorization[0]! } });
    return {
      type: 'Synchronous/HTTP',
      description: `request ${i}`,
      request: {
        method: 'GET',
        path: url.pathname.slice(pathname.length),
        query: Object.fromEntries([...url.searchParams].map(([name, value]) => [name, [value]])),
        headers: { authorization },
      },
      response: {
        status: 200,
        headers: { 'content-type': [answer.headers.get('content-type')] },
        body: { content: await answer.json(), contentType: 'application/json', encoded: false },
        matchingRules: {
          body: { $: { combine: 'AND', matchers: [{ match: 'type' }] } },
          header: { 'content-type': { combine: 'AND', matchers: [{ match: 'regex', regex: '^application/json.*' }] } },
        },
      },
    };
  }),
);
const file = join(directory.path, 'pact.json');
writeFileSync(
  file,
  JSON.stringify({
    consumer: { name: 'bench' },
    provider: { name: 'sandbox' },
    interactions,
    metadata: { pactSpecification: { version: '4.0' } },
  }),
);

await report(requests.length, async () => {
  const verifier = new Verifier({
    provider: 'sandbox',
    providerBaseUrl: origin + pathname,
    pactUrls: [file],
    logLevel: 'error',
  });
  const { interactionResults } = JSON.parse(await verifier.verifyProvider()) as {
    interactionResults: { result: string }[];
  };
  return interactionResults.filter(({ result }) => result === 'OK').length;
});
directory.remove();
