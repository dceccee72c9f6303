import { expect } from 'vitest';
import type { Sandbox } from '../../../sandbox/index.ts';
import { sandboxFor } from '../../tools/sandboxes.ts';
import { ran, resultIn, type Tried, tries } from './trial.ts';

/** What a run says of fixtures that it refuses. */
async function refusalOf(fixtures: object): Promise<string> {
  const { code, stderr } = await ran('users.get', { fixtures });
  expect(code).toBe(2);
  return stderr;
}

/** The fixtures of a sandbox, with another value of one key in a group. */
const withOther = ({ fixtures }: Sandbox, group: string, key: string, value: unknown) => ({
  ...fixtures,
  [group]: { ...(fixtures[group] as object), [key]: value },
});

/** The texts of a value that stand below some names. */
const textsBelow = (value: unknown, name: RegExp): string[] =>
  Object.entries(Object(value) as object).flatMap(([key, one]: [string, unknown]) =>
    typeof one === 'object' ? textsBelow(one, name) : name.test(key) ? [String(one)] : [],
  );

const KEYS: Tried[] = [
  [
    'An unknown key is a configuration fault.',
    async () => expect(await refusalOf({ cards: { activ: [] } })).toContain('activ'),
  ],
  [
    'Contradicting keys that name the same thing, such as `programs.digitalOn` and `programs.digitalOff`, are a configuration fault',
    async () => {
      const said = await refusalOf({ portal: { programs: { digitalOn: 7, digitalOff: 7 } } });
      for (const key of ['digitalOn', 'digitalOff']) expect(said).toContain(key);
    },
  ],
  [
    'and so is a minimum amount above the maximum',
    async () => expect(await refusalOf({ cards: { transferAmounts: { least: 9, most: 2 } } })).toContain('least'),
  ],
  [
    '`$schema` may name its [schema]',
    async () => expect((await ran('users.get', { fixtures: { $schema: 'fixtures.json' } })).code).toBe(0),
  ],
  [
    'Checks that need a missing key are `skipped`, with the key in the reason',
    async () => {
      const { record } = await ran('users.list.filter-name,users.get', { fixtures: {} });
      expect(resultIn(record(), 'users.list.filter-name').reason).toContain('users.nameFragment');
    },
  ],
  [
    'printed by `RUN_FIXTURES_COMMAND`',
    async () => {
      const changed = { TARGET_FIXTURES: '', RUN_FIXTURES_COMMAND: 'echo \'{"cards":{"activ":[]}}\'' };
      expect((await ran('users.get', { changed })).stderr).toContain('activ');
    },
  ],
];

const DATA: Tried[] = [
  [
    'Login ids, passwords and social security numbers in the file are secrets and appear in no report.',
    async () => {
      const sandbox = await sandboxFor();
      const secrets = textsBelow(sandbox.fixtures, /^(?:loginID|password|ssn)$/i);
      expect(secrets.length).toBeGreaterThan(2);
      const { written } = await ran('portal.getCIPCheck.shape,portal.login.begins-session', { sandbox });
      expect(written().filter((text) => secrets.some((secret) => text.includes(secret)))).toEqual([]);
    },
  ],
  [
    'So before anything fails because of the file, the suite reads what it names: a customer,',
    async () => {
      const sandbox = await sandboxFor();
      const fixtures = withOther(
        sandbox,
        'users',
        'writableCustomerIdentifier',
        '00000000-0000-4000-8000-000000000000',
      );
      const { record } = await ran('users.setPermissions', { sandbox, fixtures });
      const { summary, requirements } = record();
      expect(summary.must.failed).toBe(0);
      const reasons = requirements.filter((one) => one.verdict === 'inconclusive').map(({ reason }) => reason);
      expect(reasons).toContainEqual(expect.stringContaining('users.writableCustomerIdentifier'));
    },
  ],
  [
    'A run reads the state of a card before it uses it and skips cards that are not in the state of their pool.',
    async () => {
      const sandbox = await sandboxFor();
      const { unused } = sandbox.fixtures.cards as { unused: string[] };
      const fixtures = withOther(sandbox, 'cards', 'active', unused);
      const { record } = await ran('cards.suspend.required-only', { sandbox, fixtures });
      const { verdict, reason } = resultIn(record(), 'cards.suspend.required-only');
      expect({ verdict, reason }).toEqual({ verdict: 'inconclusive', reason: expect.stringContaining('cards.active') });
    },
  ],
];

tries('docs/fixtures.md', [...KEYS, ...DATA]);
