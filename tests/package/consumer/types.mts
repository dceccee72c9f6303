/** The public types, as a project of others compiles them. */
import { type Conformance, conformance } from 'prepaid-card-conformance';
import { operations } from 'prepaid-card-conformance/contracts';
import openapi from 'prepaid-card-conformance/contracts/published/openapi-v3.json' with { type: 'json' };
import { startSandbox } from 'prepaid-card-conformance/sandbox';
import { describeConformance } from 'prepaid-card-conformance/vitest';

await using sandbox = await startSandbox({ rules: { successStatus: () => 202 }, clock: () => 0 });
const record: Conformance = await conformance({ target: { baseUrl: sandbox.url }, risk: 'safe' });
// @ts-expect-error: there is no such risk
await conformance({ risk: 'none' });
await describeConformance({ reportDir: 'reports' });
export const verdict: 'conformant' | 'nonconformant' | 'incomplete' = record.summary.verdict;
export const ids: string[] = operations.map(({ id }) => id);
export const version: string = openapi.info.version;
