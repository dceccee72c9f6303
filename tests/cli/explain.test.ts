import { afterEach, expect, test, vi } from 'vitest';
import { explain } from '../../cli/explain.ts';
import { list } from '../../cli/list.ts';

afterEach(() => vi.restoreAllMocks());

/** What a command prints, and its exit code. */
async function printed(command: (argv: string[]) => Promise<number>, ...argv: string[]) {
  const out = vi.spyOn(console, 'log').mockImplementation(() => {});
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  const code = await command(argv);
  const text = (spy: { mock: { calls: unknown[][] } }) => spy.mock.calls.map((call) => call.join(' ')).join('\n');
  return { code, out: text(out), error: text(error) };
}

test('explain says in ten lines at most what a requirement is, rests on, needs and is failed by', async () => {
  const { code, out } = await printed(explain, '*');
  expect(code).toBe(0);
  const longest = out.split('\n\n').toSorted((a, b) => b.split('\n').length - a.split('\n').length)[0]!;
  expect(longest.split('\n').length, longest).toBeLessThanOrEqual(10);
  const { out: one } = await printed(explain, 'cards.suspend.stops-payments');
  for (const part of [
    'says      States and transitions, A suspended card: It cannot make transactions',
    'reading   28  Suspended: the status is not Active (must), a transfer from the card moves nothing (must)',
    'needs     risk reversible, fixture cards.active',
    /^ {2}tries {5}\w/m,
    /^ {2}fails if {2}.*more \(--faults names them\)$/m,
    'run       npm start -- --only cards.suspend.stops-payments',
  ])
    expect(one).toMatch(part);
  expect(one).not.toContain('proof/faults/');
});

test('explain --faults gives every check and fault of a requirement, and where they are', async () => {
  const { code, out } = await printed(explain, '--faults', 'cards.suspend.stops-payments');
  expect(code).toBe(0);
  for (const part of [
    'cards.suspend.stops-payments  (must)',
    'A transfer from a suspended card moves no money',
    'Token, Users and Cards Interface (v3.0.0), "States and transitions"',
    'says      States and transitions, A suspended card: It cannot make transactions',
    'risk reversible, fixture cards.active',
    'reading   28',
    'suites/v3/',
    'proof/faults/v3-changing.ts',
    'a suspended card pays',
  ])
    expect(out).toContain(part);
});

test.each([
  ['cards.suspend', 'cards.suspend.requires-token'],
  ['*.requires-live-token', 'cards.close.requires-live-token'],
  ['token.issue.rate-limits', 'The document does not show them.'],
])('explain takes the prefix, pattern or exclusion %s', async (pattern, part) => {
  const { code, out } = await printed(explain, pattern);
  expect(code).toBe(0);
  expect(out).toContain(part);
});

test('cards.get does not select cards.getBalance', async () => {
  expect((await printed(explain, 'cards.get')).out).not.toContain('cards.getBalance.');
});

test.each([explain, list])('an unknown id ends with 2 and names the nearest (%o)', async (command) => {
  const { code, error } = await printed(command, 'cards.suspend.stop-payments');
  expect(code).toBe(2);
  expect(error).toContain('the nearest is cards.suspend.stops-payments');
});

test('list gives every requirement and exclusion', async () => {
  const { code, out } = await printed(list);
  expect(code).toBe(0);
  expect(out).toContain('must    cards.transfer.moves-amount');
  expect(out).toContain('portal.orderCards.lifecycle');
  expect(out).toMatch(/\d+ requirements: \d+ must, \d+ should$/);
});
