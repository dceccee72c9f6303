/** A representative sample of the proof; `selfcheck.nightly.test.ts` is the whole. */
import { describe, expect, it, test } from 'vitest';
import type { Verdict } from '../../contracts/record.ts';
import { requirementById, requirements } from '../../contracts/requirements/index.ts';
import { faults } from '../faults/index.ts';
import { operatorFaults } from '../operators/index.ts';
import { faults as secondFaults } from '../second-target/faults.ts';
import { variants } from '../variants/index.ts';
import { packsOf, together } from '../variants/together.ts';
import { conduct, proveFault, proveSecondFault, proveVariant, secondTarget } from './prove.ts';
import { CANARY, SOUND } from './selfcheck.ts';

/** One of this many faults, and of packs of variants, is proved here, chosen by position. */
const APART = 250;
/** The same of the faults of the second target, which are fewer. */
const SECONDS_APART = 50;

const allFaults = [...faults, ...operatorFaults, ...secondFaults.map(({ id, condemns }) => ({ name: id, condemns }))];
const ids = requirements.map(({ id }) => id);
const sample = faults.filter(({ name }, index) => name === CANARY || index % APART === 0);
const secondSample = secondFaults.filter((_, index) => index % SECONDS_APART === 0);
const leftAlone = packsOf(variants)
  .map(together)
  .filter(({ name }, index) => name !== SOUND && index % APART === 0);

describe('the faults', () => {
  it('have names of their own, and name requirements of the catalogue', () => {
    const names = allFaults.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(allFaults.flatMap(({ condemns }) => condemns).filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('break every must requirement', () => {
    const broken = new Set(allFaults.flatMap(({ condemns }) => condemns));
    expect(requirements.filter(({ level, id }) => level === 'must' && !broken.has(id)).map(({ id }) => id)).toEqual([]);
  });
});

test.for([
  ...sample.map((fault) => ({ name: fault.name, prove: () => proveFault(fault) })),
  ...secondSample.map((fault) => ({ name: fault.id, prove: () => proveSecondFault(fault) })),
])('condemned: $name', async ({ prove }) => {
  expect((await prove()).missed).toEqual([]);
});

test.for(leftAlone)('left alone: $name', async (variant) => {
  const { accused, blocked } = await proveVariant(variant);
  expect([...accused, ...blocked]).toEqual([]);
});

test('the second target keeps every must requirement', async () => {
  const { outcomes } = await conduct(secondTarget(), { only: [] });
  const kept: Verdict[] = ['passed', 'notApplicable'];
  const musts = outcomes.filter(({ requirement }) => requirementById(requirement).level === 'must');
  expect(musts.filter(({ verdict }) => !kept.includes(verdict))).toEqual([]);
});

test('the sound sandbox keeps every must requirement', async () => {
  const sound = variants.find(({ name }) => name === SOUND)!;
  const { accused, blocked, unseen } = await proveVariant(sound);
  expect([...accused, ...blocked, ...unseen]).toEqual([]);
});

test.for(['safe', 'reversible'] as const)('a run with risk %s orders nothing, and checks nobody', async (risk) => {
  const { run } = await conduct(secondTarget(), { only: [] }, ({ run }) => {
    run.risk = risk;
  });
  const costly = ['portal.orderCards', 'portal.getCIPCheck'];
  const probes = ['malformed', 'unauthorised'];
  const ofThese = run.answers.filter(({ operation }) => costly.includes(operation.id));
  expect(ofThese.length).toBeGreaterThan(0);
  expect(ofThese.filter(({ intent, status }) => !probes.includes(intent) || status === 200)).toEqual([]);
});
