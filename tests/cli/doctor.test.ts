import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { doctor as doctorCommand } from '../../cli/doctor.ts';
import { fixtures } from '../../contracts/fixtures.ts';
import { draftFixtures } from '../../doctor/draft.ts';
import type { Rules } from '../../sandbox/index.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { inProcess } from '../tools/in-process.ts';
import { sandboxFor } from '../tools/sandboxes.ts';

const doctor = (env: Record<string, string>, ...args: string[]) =>
  inProcess(doctorCommand, args, env, temporaryDirectory());

/** What it says, and the fixtures file that it writes. */
async function drafting(env: Record<string, string>, ...args: string[]) {
  const file = join(temporaryDirectory(), 'found.json');
  const ended = await doctor(env, '--write-fixtures', file, ...args);
  return { ...ended, file, written: JSON.parse(readFileSync(file, 'utf8')) };
}

const lastLines = (text: string, count: number) => text.trimEnd().split('\n').slice(-count);

test('on the embedded sandbox it ends with the command of a run, and 0', async () => {
  const { code, stdout } = await doctor({}, '--concurrency', '2');
  expect(code).toBe(0);
  expect(lastLines(stdout, 1)).toEqual(['  npm start -- --concurrency 2']);
});

test('its help says what it changes, and at which risk', async () => {
  const { stdout } = await doctor({}, '--help');
  const [description] = stdout.replaceAll(/\s+/g, ' ').split(' Options:');
  expect(description).toContain(
    'Changes nothing at the target, except that --write-fixtures at risk irreversible makes',
  );
});

test('all faults of configuration are told, and it ends with 2', async () => {
  const stderr = expect.stringMatching(/^TARGET_BASE_URL: .+\nRUN_RISK: /);
  expect(await doctor({ TARGET_BASE_URL: 'nowhere', RUN_RISK: 'any' })).toMatchObject({ code: 2, stderr });
});

test('a fault ends it with 1, and the next command carries what fits', async () => {
  const sandbox = await sandboxFor({ paths: { operation: '/_ah/api/{endpoint_set}/v1/{operation}' } });
  const { TARGET_PORTAL_PATH: _, ...env } = sandbox.environment;
  const { code, stdout } = await doctor(env);
  expect(code).toBe(1);
  expect(lastLines(stdout, 1)).toEqual([
    "  TARGET_PORTAL_PATH='/_ah/api/{endpoint_set}/v1/{operation}' npm run doctor -- --risk irreversible",
  ]);
});

test('it writes a fixtures file that a run takes, with no card in a pool but those it was told', async () => {
  const { environment, fixtures: own } = await sandboxFor();
  const pools = ['--pool', 'active=one,two', '--pool', 'unused=three'];
  const { code, stdout, file, written } = await drafting(environment, ...pools);
  expect(code).toBe(0);
  expect(stdout).toContain(`TARGET_FIXTURES=${file} npm run doctor`);
  expect(fixtures.safeParse(written).error).toBeUndefined();
  expect(written.cards).toMatchObject({ active: ['one', 'two'], disposable: [], unused: ['three'], fraud: [] });
  expect(written.users.customerIdentifier).not.toBe('');
  // At risk irreversible programs and persons are tried.
  const { digitalOn, loadOn, instantIssue } = (own.portal as { programs: Record<string, number> }).programs;
  expect(written.portal.programs).toMatchObject({ digitalOn, instantIssue, loadOn });
  expect(written.portal.programs.digitalOff).not.toBe(digitalOn);
  expect(Object.keys(written.portal.cip).filter((key) => written.portal.cip[key].firstName)).toHaveLength(1);
  expect((await doctor({ ...environment, TARGET_FIXTURES: file })).code).toBe(0);
});

const tried = async (rowId: number, rules: Partial<Rules> = {}) => {
  const { environment } = await sandboxFor({ rules: { showsProgram: (program) => program.rowId === rowId, ...rules } });
  const { stdout, written } = await drafting(environment);
  return { stdout, programs: written.portal.programs };
};

test('a program is said to want a unique otherInfo, or to be without an option, only if that was seen', async () => {
  expect((await tried(7008)).programs.uniqueOtherInfo).toBe(7008);
  const repeated = await tried(7008, { enforces: ({ kind }) => kind !== 'duplicate' });
  expect(repeated.programs.uniqueOtherInfo).not.toBe(7008);
  expect(repeated.stdout).toContain(
    'program 7008 requires an otherInfo, but it is not clear whether it must be unique',
  );
  let orders = 0;
  const { programs } = await tried(7001, {
    alsoRefuses: ({ operation }) =>
      operation === 'portal.orderCards' && ++orders > 1 ? { kind: 'range', name: 'orders of a day' } : undefined,
  });
  expect(programs.personalized).toBe(7001);
  expect([programs.digitalOff, programs.loadOff]).not.toContain(7001);
});

test('without a file to write, it looks at the cards of --pool, and its next command writes one, at the same risk', async () => {
  const { environment, fixtures } = await sandboxFor();
  const pool = `unused=${(fixtures.cards as { unused: string[] }).unused[0]},nobody`;
  const { stdout } = await doctor(environment, '--pool', pool);
  expect(stdout).toContain('cards.unused: 1 of 2 in the promised state');
  expect(stdout).toContain('users.foreignCustomerIdentifier is missing: cards.list.foreign is judged without');
  expect(lastLines(stdout, 4)).toEqual([
    'Next, to fill in what is missing:',
    `  npm run doctor -- --write-fixtures fixtures.new.json --pool '${pool}' --risk irreversible`,
    'or without it:',
    '  npm start -- --risk irreversible',
  ]);
});

test('a program that is not chosen is told from one that is, with what the target says', async () => {
  const refusing = await tried(7001, { offers: (operation) => operation !== 'portal.orderCards' });
  expect(refusing.programs.personalized).toBe(0);
  expect(refusing.stdout).toMatch(
    /program 7001 takes none of the made-up orders: .*; the last is answered with 404 \S/,
  );
  const { stdout } = await drafting((await sandboxFor()).environment);
  expect(stdout).toMatch(/program \d+ is fit for .*programs\.\w+ \(which is \d+\)/);
  expect(stdout).toMatch(/program \d+ is not tried: no more than 6 are/);
});

test('it overwrites no file, and takes no other pool', async () => {
  const stderr = expect.stringMatching(/already exists/);
  expect(await doctor({}, '--write-fixtures', import.meta.filename)).toMatchObject({ code: 2, stderr });
  const file = join(temporaryDirectory(), 'found.json');
  expect(await doctor({}, '--write-fixtures', file, '--pool', 'foreign=one')).toMatchObject({ code: 2 });
  expect(existsSync(file)).toBe(false);
});

test('a drafted fixtures file holds every key, prefers what is given, and copies no secret', () => {
  const given = fixtures.parse({
    users: { customerIdentifier: 'given' },
    cards: { active: ['a'] },
    portal: { cip: { pass: { ssn: 123456789 } }, restrictedLogin: { loginID: 'somebody', password: 'secret' } },
  });
  const found = { users: { customerIdentifier: 'found' } };
  const { fixtures: drafted, leftOut } = draftFixtures(found, given, { unused: ['u'] });
  expect(drafted).toMatchObject({
    users: { customerIdentifier: 'given' },
    cards: { active: ['a'], unused: ['u'] },
    portal: { cip: { pass: {} }, restrictedLogin: {} },
  });
  expect(JSON.stringify(drafted)).not.toMatch(/123456789|somebody|secret/);
  expect(leftOut).toEqual(['portal.cip', 'portal.restrictedLogin']);
  const { properties: groups = {} } = z.toJSONSchema(fixtures, { unrepresentable: 'any' });
  for (const [group, { properties }] of Object.entries(groups as Record<string, { properties: object }>))
    if (group !== '$schema') expect(Object.keys(drafted[group] as object), group).toEqual(Object.keys(properties));
});

test('below risk irreversible it makes no order and no CIP check', async () => {
  const sandbox = await sandboxFor();
  const before = sandbox.state();
  const { code, stdout } = await drafting({ ...sandbox.environment, RUN_RISK: 'reversible' });
  expect(code).toBe(0);
  expect(stdout).toContain('need RUN_RISK=irreversible');
  expect(sandbox.state()).toEqual(before);
});
