/** newman, which sends one request at a time; its scripts test status, media type and JSON Schema. */
import type { Newman, NewmanRunSummary } from 'newman';
import { load } from '../../tests/tools/installed.ts';
import { schemaOf, urlOf } from '../requests.ts';
import { report, task } from './contender.ts';

const newman = load('newman') as Newman;
const { base, token, requests } = await task();

const script = (operation: string): string[] => [
  "pm.test('status', () => pm.response.to.have.status(200));",
  "pm.test('media type', () => pm.expect(pm.response.headers.get('content-type')).to.include('application/json'));",
  `pm.test('shape', () => pm.response.to.have.jsonSchema(${JSON.stringify(schemaOf(operation))}));`,
];

const collection = {
  info: { name: 'bench', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
  item: requests.map((one, i) => ({
    name: `request ${i}`,
    request: { method: 'GET', url: urlOf(base, one), header: [{ key: 'authorization', value: `Bearer ${token}` }] },
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: script(one.operation) } }],
  })),
};

await report(requests.length, async () => {
  const { run } = await new Promise<NewmanRunSummary>((resolve, reject) =>
    newman.run({ collection, reporters: [] }, (error, summary) => (error ? reject(error) : resolve(summary))),
  );
  return run.failures.length > 0 ? 0 : (run.stats.requests.total ?? 0);
});
