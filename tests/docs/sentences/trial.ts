/** Sentences of the users' pages, word by word, each tried: who changes what happens, or what is said of it, is told by the other. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Conformance } from '../../../contracts/record.ts';
import type { Sandbox } from '../../../sandbox/index.ts';
import { ROOT } from '../../tools/root.ts';
import { runHere } from '../../tools/run-in-process.ts';
import { environmentOf, sandboxFor } from '../../tools/sandboxes.ts';

/** An address at which nobody listens. */
export const NOWHERE = 'http://127.0.0.1:9';

/** A sentence, or a part of one, and what has to hold. */
export type Tried = readonly [sentence: string, trial: () => unknown];

/** Expects each sentence to stand on the page, with any line breaks, and what it says to be so. */
export function tries(page: string, sentences: readonly Tried[]): void {
  test.each(sentences)(`${page}: %s`, async (sentence, trial) => {
    expect(readFileSync(join(ROOT, page), 'utf8').replaceAll(/\s+/g, ' ')).toContain(sentence);
    await trial();
  });
}

interface Given {
  sandbox?: Sandbox;
  fixtures?: object;
  changed?: Record<string, string>;
  args?: readonly string[];
}

/** What a run of some operations does against a sandbox, a fresh one if none is given, with other fixtures and settings. */
export async function ran(only: string, { sandbox, fixtures, changed = {}, args = [] }: Given = {}) {
  const target = sandbox ?? (await sandboxFor());
  const environment = { ...environmentOf(target, fixtures ?? target.fixtures), ...changed };
  const ended = await runHere(environment, ['--only', only, ...args]);
  const record = () => recordIn(ended.reports);
  const written = () => readdirSync(ended.reports).map((name) => readFileSync(join(ended.reports, name), 'utf8'));
  return { ...ended, environment, record, written };
}

/** What a call of risk `safe` must not change. */
export const stateOf = (sandbox: Sandbox) =>
  sandbox.state() as { cards: { state: string }[]; orders: unknown[]; cipChecks: number };

export const recordIn = (reports: string): Conformance =>
  JSON.parse(readFileSync(join(reports, 'conformance.json'), 'utf8'));

export const resultIn = ({ requirements }: Conformance, id: string) => requirements.find((one) => one.id === id)!;
