/** Examples are filled with a target's data in one place: the overlays, and the documents that they give. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { publishContracts } from '../../../cli/publish-contracts.ts';
import { filesForTarget, INTERFACES } from '../../../cli/published-files.ts';
import {
  inventedTarget,
  requestExamples,
  type TargetValues,
  targetExamples,
} from '../../../contracts/publish/examples.ts';
import { openApi } from '../../../contracts/publish/openapi.ts';
import { overlay } from '../../../contracts/publish/overlay.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { inProcess } from '../../tools/in-process.ts';

const directory = temporaryDirectory(afterAll);

/** What the OpenAPI Overlay Specification 1.0.0 says of update: objects are merged, arrays are appended to. */
function merged(node: unknown, update: unknown): unknown {
  if (Array.isArray(node) && Array.isArray(update)) return [...node, ...update];
  if (typeof node !== 'object' || typeof update !== 'object' || node === null || update === null) return update;
  const both = { ...node } as Record<string, unknown>;
  for (const [name, value] of Object.entries(update)) both[name] = name in both ? merged(both[name], value) : value;
  return both;
}

/** Applies an overlay. Its JSONPaths (RFC 9535) are of a kind that leads to one node, or to all items of a list to remove. */
function applied(document: unknown, { actions }: ReturnType<typeof overlay>): unknown {
  const whole = structuredClone(document);
  for (const { target, remove = false, update } of actions) {
    expect(target.endsWith('[*]')).toBe(remove);
    let [parent, key]: [Record<string, unknown>, string] = [{ $: whole }, '$'];
    for (const [, dotted, quoted, name] of target.matchAll(/\.(\w+)|\['([^']+)'\]|\[\?\(@\.name=='(\w+)'\)\]/g)) {
      const above = parent[key] as Record<string, { name?: string }>;
      [parent, key] = [above, dotted ?? quoted ?? Object.keys(above).find((index) => above[index]!.name === name)!];
    }
    parent[key] = remove ? [] : merged(parent[key], update);
  }
  return whole;
}

const order = { custProgId: 7, attn: 'Grace', orderDetails: [{ firstName: 'G' }] };
const target: TargetValues = {
  tokenRequest: { client_id: 'c', client_secret: 's', scope: 'all' },
  users: {
    customerIdentifier: 'C1',
    writableCustomerIdentifier: 'C2',
    writableCustomerPermissions: { canSearchLoads: true },
  },
  cards: {
    active: ['A1', 'A2', 'A3'],
    disposable: ['D1', 'D2'],
    transferAmounts: { least: 5 },
    transferBody: { comment: 'rent' },
  },
  login: { loginID: 'grace', password: 'p' },
  portal: {
    customerId: 2n ** 60n,
    programs: { personalized: { custProgId: 7, order } },
    cip: { pass: { firstName: 'Grace', ssn: 123456789 } },
  },
};

test.each(INTERFACES)('the overlay of %s changes nothing as published, and with a target gives its document', (at) => {
  expect(applied(openApi(at), overlay(at, targetExamples(inventedTarget)))).toEqual(openApi(at));
  expect(applied(openApi(at), overlay(at, targetExamples(target)))).toEqual(openApi(at, requestExamples(target)));
});

test('values of the target are used as they are given, and what it does not give stays out of the overlay', () => {
  const examples = targetExamples(target);
  expect(examples['cards.transfer']).toEqual({
    parameters: { identifier: 'A1' },
    body: { comment: 'rent', targetCardIdentifier: 'A2', amount: 5 },
  });
  expect(examples['portal.orderCards']!.body).toMatchObject({ attn: 'Grace', orderDetails: [{ firstName: 'G' }] });
  expect(examples).not.toHaveProperty(['cards.activate']);
  expect(examples).not.toHaveProperty(['portal.getATMLocation']);
  expect(requestExamples(target)['cards.activate']).toEqual(requestExamples()['cards.activate']);
  expect(filesForTarget(target)['overlay-v1.json']).toContain(`"value": ${2n ** 60n}`);
});

const publish = (file: string, out: string, environment: Record<string, string> = {}) =>
  inProcess(publishContracts, ['--fixtures', file, '--out', out], environment, directory);

test('the command fills them from a fixtures file and from the credentials of a run, for nobody else to read', async () => {
  writeFileSync(join(directory, 'fixtures.json'), JSON.stringify({ users: { customerIdentifier: 'C1' } }));
  const credentials = { TARGET_PORTAL_LOGIN_ID: 'grace', TARGET_PORTAL_PASSWORD: 'p w' };
  expect(await publish('fixtures.json', 'out', credentials)).toMatchObject({ code: 0, stderr: '' });
  const written = (name: string) => readFileSync(join(directory, 'out', name), 'utf8');
  const place = "$.paths['/users/customers/{identifier}'].get.parameters[?(@.name=='identifier')].examples.example";
  expect(JSON.parse(written('overlay-v3.json')).actions).toEqual([{ target: place, update: { value: 'C1' } }]);
  expect(written('openapi-v1.json')).toContain('"value": "p w"');
  expect(statSync(join(directory, 'out/overlay-v1.json')).mode & 0o077).toBe(0);
});

test.each(['wrong.json', 'missing.json'])('a fixtures file that is %s is one line and 2', async (file) => {
  writeFileSync(join(directory, 'wrong.json'), '{"card": {}}');
  const message = expect.stringMatching(/^.*(card|no such file).*\n*$/);
  expect(await publish(file, 'never')).toMatchObject({ code: 2, stderr: message });
});
