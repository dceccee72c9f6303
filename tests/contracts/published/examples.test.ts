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

/** The nodes of a document that a JSONPath (RFC 9535) of the kinds that overlays hold leads to, each with its parent and key. */
function nodesAt(document: unknown, path: string): { parent: Record<string, unknown>; key: string }[] {
  const steps = path.matchAll(/\.(\w+)|\['([^']+)'\]|\[\?\(@\.name=='(\w+)'\)\]|(\[\*\])/g);
  let nodes = [{ parent: { $: document } as Record<string, unknown>, key: '$' }];
  for (const [, dotted, quoted, name] of steps)
    nodes = nodes.flatMap(({ parent, key }) => {
      const node = parent[key] as Record<string, unknown>;
      const keys = Object.keys(node);
      if (dotted ?? quoted) return { parent: node, key: (dotted ?? quoted)! };
      const chosen = name ? keys.filter((one) => (node[one] as { name: string }).name === name) : keys.toReversed();
      return chosen.map((one) => ({ parent: node, key: one }));
    });
  return nodes;
}

/** What the OpenAPI Overlay Specification 1.0.0 says of update: objects are merged, arrays are appended to. */
function merged(node: unknown, update: unknown): unknown {
  if (Array.isArray(node) && Array.isArray(update)) return [...node, ...update];
  if (typeof node !== 'object' || typeof update !== 'object' || node === null || update === null) return update;
  const both = { ...node } as Record<string, unknown>;
  for (const [name, value] of Object.entries(update)) both[name] = name in both ? merged(both[name], value) : value;
  return both;
}

function applied(document: unknown, { actions }: ReturnType<typeof overlay>): unknown {
  const whole = structuredClone(document);
  for (const { target, remove, update } of actions)
    for (const { parent, key } of nodesAt(whole, target)) {
      if (!remove) parent[key] = merged(parent[key], update);
      else if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else delete parent[key];
    }
  return whole;
}

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
    programs: {
      personalized: { custProgId: 7, order: { custProgId: 7, attn: 'Grace', orderDetails: [{ firstName: 'G' }] } },
    },
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

const publish = (args: string[], environment: Record<string, string> = {}) =>
  inProcess(publishContracts, args, environment, directory);

test('the command fills them from a fixtures file and from the credentials of a run, for nobody else to read', async () => {
  writeFileSync(join(directory, 'fixtures.json'), JSON.stringify({ users: { customerIdentifier: 'C1' } }));
  const { code, stderr } = await publish(['--fixtures', 'fixtures.json', '--out', 'out'], {
    TARGET_PORTAL_LOGIN_ID: 'grace',
    TARGET_PORTAL_PASSWORD: 'p w',
  });
  expect([code, stderr]).toEqual([0, '']);
  const file = (name: string) => join(directory, 'out', name);
  expect(JSON.parse(readFileSync(file('overlay-v3.json'), 'utf8')).actions).toEqual([
    {
      target: "$.paths['/users/customers/{identifier}'].get.parameters[?(@.name=='identifier')].examples.example",
      update: { value: 'C1' },
    },
  ]);
  expect(readFileSync(file('openapi-v1.json'), 'utf8')).toContain('"value": "p w"');
  expect(statSync(file('overlay-v1.json')).mode & 0o077).toBe(0);
});

test('a fixtures file that is wrong or missing is one line and 2', async () => {
  writeFileSync(join(directory, 'wrong.json'), '{"card": {}}');
  for (const file of ['wrong.json', 'missing.json']) {
    const { code, stderr } = await publish(['--fixtures', file, '--out', 'never']);
    expect(code).toBe(2);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(/card|no such file/);
  }
});
