/** What a finding takes on trust from the fixtures file: where that is wrong, the target is accused of it. */
import type { Conformance } from '../contracts/record.ts';
import { requirements } from '../contracts/requirements/index.ts';
import type { Cause } from './causes.ts';
import { cut } from './text.ts';

/** Pools of cards, whose state is read before anything rests on it. */
const READ_BEFORE = /^cards\.(?:active|disposable|unused|fraud)$/;
/** Characters of a value that are shown. */
const LONGEST = 60;

const needs = new Map(requirements.map(({ id, needs }) => [id, needs]));

/** The keys of the fixtures file that a finding trusts, each with what stands there where that is no secret. */
export function trustedFrom(
  { run: { fixtures = [] } }: Pick<Conformance, 'run'>,
  cause: Pick<Cause, 'requirements'>,
): string[] {
  const keys = new Set(cause.requirements.flatMap(({ id }) => needs.get(id) ?? []));
  return fixtures
    .filter(({ key, origin }) => origin === 'fixtures file' && keys.has(key) && !READ_BEFORE.test(key))
    .map(({ key, detail }) => (/^(?:\d+ )?given$/.test(detail) ? key : `${key} (${cut(detail, LONGEST)})`));
}
