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
  const { reports } = await runHere(environment, ['--only', [id, ...also].join(), '--seed', '20260']);
  const record = readRecord(reports);
  if (record.conformance.requirements.find((one) => one.id === id)!.verdict !== 'failed') return false;
  const reproductions = reproductionsOf(record);
  const reproduction = reproductions.of(...reproductions.failureOf(id));
  const script = curlScript(reproduction);
  const { rules: _, middleware: __, ...rest } = options;
  await using sound = await startSandbox(rest);
  const paste = async (target: Sandbox) => {
    target.reset();
    const values = await valuesFor(reproduction, target);
    return factsIn(await inShell(script.replaceAll(faulty.url, target.url), values));
  };
  const [broken, right] = [await paste(faulty), await paste(sound)];
  // Tokens, times and the like are other ones each time.
  const volatile = differing(right, await paste(sound));
  return differing(broken, right).some((path) => !volatile.includes(path));
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

/** What dash prints of the commands. */
function inShell(script: string, variables: Record<string, string>): Promise<string> {
  const shell = spawn('dash', ['-s'], { env: { PATH: process.env.PATH, ...variables } });
  shell.stdin.end(`exec 2>&1\n${script}\n`);
  return text(shell.stdout);
}

/** The statuses and the members of the answers in what was printed, by where they stand. */
function factsIn(printed: string): Map<string, string> {
  const facts = new Map<string, string>();
  for (const [index, answer] of printed.split(/^== /m).slice(1).entries()) {
    const [head = '', ...body] = answer.split(/\r?\n\r?\n/);
    facts.set(`${index} status`, /^HTTP\S+ (\d+)/m.exec(head)?.[1] ?? 'none');
    for (const [, name, value] of head.matchAll(/^([\w-]+): (.*)$/gm))
      if (name !== 'date') facts.set(`${index} ${name}`, value!);
    const shown = body.join('\n\n').trim();
    try {
      for (const [path, value] of membersIn(JSON.parse(shown))) facts.set(`${index}${path}`, value);
    } catch {
      facts.set(`${index} body`, shown);
    }
  }
  return facts;
}

function* membersIn(value: unknown, path = ''): Generator<[path: string, value: string]> {
  if (typeof value === 'object' && value !== null) {
    yield [path, Array.isArray(value) ? 'array' : 'object'];
    for (const [name, member] of Object.entries(value)) yield* membersIn(member, `${path}/${name}`);
  } else yield [path, JSON.stringify(value)];
}

const differing = (one: Map<string, string>, other: Map<string, string>): string[] =>
  [...one.keys(), ...other.keys()].filter((path) => one.get(path) !== other.get(path));
