/** Pastes the reproduction of a fault into a shell, against the faulty sandbox and against a sound one. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { requirementById } from '../../../contracts/requirements/index.ts';
import type { Fault } from '../../../proof/faults/fault.ts';
import { pointedAt } from '../../../proof/hostile/target.ts';
import { curlScript } from '../../../reports/curl.ts';
import { readRecord } from '../../../reports/record.ts';
import { reproductionsOf } from '../../../reports/reproductions.ts';
import type { Script } from '../../../reports/script.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/index.ts';
import { signedIn } from '../../sandbox/client.ts';
import { runHere } from '../../tools/run-in-process.ts';

/**
 * Runs the suite against a sandbox with the fault, and pastes the commands that reproduce the first requirement that it breaks.
 * @returns whether the faulty sandbox answers them otherwise than a sound one; false where the run does not find the fault
 */
export async function isReproduced({ sandbox: options, condemns, also = [] }: Fault): Promise<boolean> {
  await using faulty = await startSandbox(options);
  const id = condemns.find((one) => requirementById(one).level === 'must') ?? condemns[0]!;
  // Otherwise each member of a person of the fixtures file is asked for.
  const personalData = id.startsWith('portal.getCIPCheck.') ? 'keep' : 'mask';
  const environment = { ...pointedAt(faulty.url, faulty), RUN_PERSONAL_DATA: personalData };
  const { reports } = await runHere(environment, ['--only', [id, ...also].join(), '--seed', '20260', '--thorough']);
  const record = readRecord(reports);
  if (record.conformance.requirements.find((one) => one.id === id)!.verdict !== 'failed') return false;
  const reproductions = reproductionsOf(record);
  const reproduction = reproductions.of(...reproductions.failureOf(id));
  const script = curlScript(reproduction);
  const { rules: _, middleware: __, ...rest } = options;
  await using sound = await startSandbox(rest);
  const paste = async (target: Sandbox) => {
    target.reset();
    const env = { PATH: process.env.PATH, ...(await valuesFor(reproduction, target)) };
    const shell = spawn('dash', ['-s'], { env });
    shell.stdin.end(`exec 2>&1\n${script.replaceAll(faulty.url, target.url)}\n`);
    // Member by member of the answers, without their dates.
    return (await text(shell.stdout)).replaceAll(/^date: .*$/gm, '').split(/[\n,{}[\]]/);
  };
  const [broken, right, again] = [await paste(faulty), await paste(sound), await paste(sound)];
  // Tokens, times and the like are other ones each time.
  const isOther = (member: string, index: number) => member !== right[index] && right[index] === again[index];
  return broken.length !== right.length || broken.some(isOther);
}

/** The values that a reader would set: the credentials of the target, and what the fixtures file holds of that kind. */
export async function valuesFor({ variables }: Script, target: Sandbox): Promise<Record<string, string>> {
  const { users, portal } = target.fixtures as {
    users: { nameFragment: string };
    portal: { restrictedLogin: Record<string, string>; cip: { pass: Record<string, unknown> } };
  };
  const values: Record<string, string> = { TARGET_PIN: '2468', TARGET_PERSON_NAME: users.nameFragment };
  for (const { name, what } of variables) {
    const [member = ''] = what.split(/[ ,]/, 1);
    const [, card] = /in place of (\S+),/.exec(what) ?? [];
    const [, form = ''] = /of the form (.+), which/.exec(what) ?? [];
    if (card) values[name] = card;
    if (name.startsWith('TARGET_PERSON_'))
      values[name] ??= form.replaceAll(/[xX9]/g, (masked) => ({ x: 'a', X: 'A', 9: '1' })[masked]!);
    if (name.startsWith('TARGET_PERSON_SSN')) values[name] = String(portal.cip.pass[member]).padEnd(form.length, '1');
    if (name.startsWith('TARGET_FIXTURE_SECRET')) values[name] = portal.restrictedLogin[member]!;
  }
  if (variables.some(({ name }) => name.startsWith('TARGET_EXPIRED'))) {
    const { token, sessionId } = await signedIn(target);
    target.advance(61 * 60);
    Object.assign(values, { TARGET_EXPIRED_ACCESS_TOKEN: token, TARGET_EXPIRED_SESSION_ID: sessionId });
  }
  return { ...target.environment, ...values };
}
