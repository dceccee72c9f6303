import { expect, test } from 'vitest';
import { EVERY_EXCHANGE } from '../../contracts/record.ts';
import { rerunsOf } from '../../reports/rerun.ts';
import { check, conformance, requirement } from './record-builder.ts';

const shape = requirement('cards.get.shape', [
  check('failed', { name: EVERY_EXCHANGE, exchanges: ['x00007', 'x00008'] }),
]);
const maker = requirement('cards.suspend.state', [check('passed', { exchanges: ['x00006', 'x00007'] })]);

test('a failure of a check runs its requirement again, with risk, seed and a report directory of its own', () => {
  const failed = requirement('cards.get.identifier', [check('failed')]);
  expect(rerunsOf(conformance([failed]))([failed])).toBe(
    'npm start -- --only cards.get.identifier --risk safe --seed 42 --report-dir reports/rerun/20250101-030000/cards.get.identifier',
  );
});

test('a failure of an exchange runs what made the exchange that decided', () => {
  expect(rerunsOf(conformance([maker, shape]))([shape])).toContain('--only cards.get.shape,cards.suspend.state ');
});

test('options of the run are repeated, as a shell takes them', () => {
  const options = { 'env-file': 'my target.env', thorough: 'true', risk: 'reversible', seed: '7' };
  const command = rerunsOf(conformance([maker, shape], { run: { options } }))([shape]);
  expect(command).toContain("--risk reversible --seed 7 --env-file 'my target.env' --thorough ");
});

test('a record of somebody else names no option of its own, and leaves no quotes', () => {
  const options = { 'seed 1;id;': 'x', 'fixtures-command': 'id', risk: '$(id)' };
  const failed = requirement('cards.get.identifier', [check('failed')]);
  const record = conformance([failed], { run: { options, startedAt: '2025-01-01T03:00:00`id`' } });
  expect(rerunsOf(record)([failed])).toBe(
    "npm start -- --only cards.get.identifier --risk '$(id)' --report-dir 'reports/rerun/20250101-030000`id`/cards.get.identifier'",
  );
});

test('of a merged run the options are those of the shard that saw it', () => {
  const shards = [
    { risk: 'safe', seed: '1' },
    { risk: 'safe', seed: '2' },
  ];
  const failed = requirement('cards.get.identifier', [check('failed', { exchanges: ['s2x00003'] })]);
  expect(rerunsOf(conformance([failed], { run: { shards } }))([failed])).toContain('--seed 2 ');
});
