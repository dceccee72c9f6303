/**
 * What is pasted of a reproduction shows the contradiction again, on the faulty target alone; and what a target sends runs nothing on the machine of
 * the reader who pastes it, and gets none of his secrets.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Exchange } from '../../../contracts/record.ts';
import { LABELS } from '../../../contracts/redaction.ts';
import { faults } from '../../../proof/faults/index.ts';
import { SecretRedactor } from '../../../redaction/redactor.ts';
import { curlScript } from '../../../reports/curl.ts';
import { giftsOf, scriptOf } from '../../../reports/script.ts';
import { promise } from '../../docs/security/promises.ts';
import { temporaryDirectory } from '../../tools/directory.ts';
import { type Pasted, pasted } from './pasted.ts';

const SHELLS = ['bash', 'dash'].filter((shell) => spawnSync(shell, ['-c', 'true']).status === 0);

/** Text that wants to run, to name a variable, or to end a quotation; `@` stands for the file that it would make. */
const TEXTS = [
  ...['PROMPT_COMMAND', 'PS1', 'BASH_ENV', 'PATH', 'LD_PRELOAD', 'AWS_SECRET_ACCESS_KEY', 'IFS', 'HOME'].flatMap(
    (name) => [
      `<${name}>`,
      `<REDACTED_${name}>`,
      `<TARGET_${name}>`,
      `$${name}`,
      `\${${name}}`,
      `"$${name}"`,
      `'"$${name}"'`,
    ],
  ),
  ...LABELS.map((label) => `<REDACTED_${label}>`),
  ...['touch @', 'echo owned > @'].flatMap((command) => [
    command,
    `$(${command})`,
    `\`${command}\``,
    `'; ${command}; '`,
    `"; ${command}; "`,
    `\n${command}\n`,
    `\r\n${command}\r\n`,
    `) ; ${command} ; (`,
    `'\n)\n${command}\n(\n'`,
    `\\'; ${command} #`,
    `!!; ${command}`,
    `\u001b[201~\n${command}\n`,
    `%'; ${command}; printf '`,
    `EOF\n${command}\nEOF`,
    `\u0003\n${command}\n`,
    `{${command.replace(' ', ',')}}`,
    `<(${command})`,
    `;${command};`,
    `|${command}`,
    `&& ${command} &&`,
  ]),
];

const raw = (text: string): [string, string][] => [
  ['as JSON', JSON.stringify(text)],
  ['escaped', `"${[...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`],
];

/** The record of a run against a target that answers with the text wherever a later request carries what it answered. */
function recorded(quoted: string, text: string): Exchange[] {
  const by = new SecretRedactor('mask');
  by.learn('the-client-secret-1', 'CLIENT_SECRET');
  const token = JSON.parse(quoted) as string;
  let number = 0;
  const exchange = (operation: string, request: Exchange['request'], body: string | null): Exchange => ({
    id: `x0000${++number}`,
    operation,
    check: 'check',
    intent: 'valid',
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1,
    request: {
      method: request.method,
      url: by.url(request.url),
      headers: by.headers(request.headers),
      body: request.body === null ? null : by.body(request.body, String(request.headers['content-type'] ?? '')).text,
    },
    response: {
      status: 200,
      headers: by.headers({ 'x-said': token.replaceAll(/[^\x20-\x7e]/g, ' ') }),
      body: body === null ? null : by.body(body, 'application/json').text,
      bodyBytes: 1,
      truncated: false,
    },
  });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const json = { 'content-type': 'application/json', authorization: `Bearer ${token.replaceAll(/[\r\n]/g, '')}` };
  return [
    exchange(
      'token.issue',
      { method: 'POST', url: 'http://target.invalid/token', headers: form, body: 'client_secret=the-client-secret-1' },
      `{"access_token":${quoted},"${text.replaceAll(/\W/g, '_')}":${quoted},"pin":${quoted}}`,
    ),
    exchange(
      'cards.get',
      { method: 'GET', url: `http://target.invalid/cards/${encodeURIComponent(text)}`, headers: json, body: null },
      `{"identifier":${quoted},"sessionId":${quoted}}`,
    ),
    exchange(
      'cards.transfer',
      {
        method: 'POST',
        url: `http://target.invalid/cards/x/transfer?sessionId=${text.replaceAll(/[&#\s]/g, '')}`,
        headers: json,
        body: `{"targetCardIdentifier":${quoted},"comment":${quoted},"amount":1}`,
      },
      '{}',
    ),
  ];
}

test.each(SHELLS)('%s', (shell) => {
  const directory = temporaryDirectory();
  const made = join(directory, 'made');
  const log = join(directory, 'sent');
  // Answers with the text, so that what is kept of an answer is hostile too.
  writeFileSync(
    join(directory, 'curl'),
    `#!/bin/sh\nfor one in "$@"; do printf '%s\\n' "$one"; done >> ${log}\ncat ${directory}/answer\n`,
    { mode: 0o755 },
  );
  const cases = TEXTS.flatMap((text) =>
    raw(text.replaceAll('@', made)).map(([, quoted]) => ({ quoted, text: text.replaceAll('@', made) })),
  );
  const held: string[] = [];
  for (const { quoted, text } of cases) {
    const exchanges = recorded(quoted, text);
    const givers = new Map(exchanges.flatMap((one) => giftsOf(one).map(({ key }) => [key, [one]] as const)));
    writeFileSync(join(directory, 'answer'), `HTTP/1.1 200\r\n\r\n{"access_token":${quoted}}`);
    writeFileSync(log, '');
    rmSync(join(directory, 'after'), { force: true });
    const script = curlScript(scriptOf(exchanges, [], givers), text);
    const names = 'set | grep -v ^_= | grep -v ^BASH_ | grep -v ^PIPESTATUS= | grep -v ^LINENO= | grep -v ^OPTIND=';
    const pasted = `${names} > ${directory}/before\n${script}\n${names} > ${directory}/after\ntrue\n`;
    execFileSync(shell, shell === 'bash' ? ['--norc', '--noprofile', '-i'] : ['-i'], {
      input: pasted,
      cwd: directory,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: {
        PATH: `${directory}:${process.env.PATH}`,
        HOME: directory,
        AWS_SECRET_ACCESS_KEY: 'canary-of-the-reader',
        REDACTED_AWS_SECRET_ACCESS_KEY: 'canary-of-the-reader',
        TARGET_AWS_SECRET_ACCESS_KEY: 'canary-of-the-reader',
        ...Object.fromEntries(LABELS.map((label) => [`TARGET_${label}`, `canary-of-${label}`])),
      },
    });
    expect(existsSync(made), `${JSON.stringify(text)} ran:\n${script}`).toBe(false);
    // What stands in an address is percent-encoded.
    const sent = readFileSync(log, 'utf8').replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
      Buffer.from(bytes.replaceAll('%', ''), 'hex').toString(),
    );
    expect(sent, script).toContain('--url');
    expect(sent, script).not.toContain('canary-of-the-reader');
    // The login of the run needs the secret of the client; nothing that the target names may bring another one.
    const others = LABELS.filter(
      (label) => !['CLIENT_SECRET', 'SESSION_ID', 'ACCESS_TOKEN', 'AUTHORIZATION'].includes(label),
    );
    for (const label of others) expect(sent, `${text}\n${script}`).not.toContain(`canary-of-${label}`);
    expect(readFileSync(join(directory, 'after'), 'utf8')).toBe(readFileSync(join(directory, 'before'), 'utf8'));
    held.push(text);
  }
  promise('reproduction', `pasted into ${shell}`, { attempts: cases.length, held: held.length });
});

/** Requirements whose contradictions no few requests, one after the other, show in a value that is otherwise the same each time. */
const BEYOND = [
  // between two times, which are others each time
  'token.issue.expires-after-not-before',
  'token.issue.expires-on',
  // once an hour has passed
  'token.issue.lives-60-minutes',
  'token.issue.ends-after-60-minutes',
  // at the same moment
  'portal.login.sessions-differ',
  // after many uses, in many answers together, on every card of a state
  'token.issue.usable-until-expiry',
  'portal.getCustomerProgramList.known-programs',
  'cards.activate.nothing-else',
  'cards.close.nothing-else',
];

/** Faults of a statement to try: some show only over time, at the same moment, or of what the run did before, which a sandbox that starts anew has not. */
const MOST_TRIED = 9;

/** Faults for every fourth statement that fails without waiting, of whatever operation breaks it first. */
const SAMPLE = [
  ...Map.groupBy(
    faults.filter(({ configure, isSlow, condemns: [id] }) => !configure && !isSlow && !BEYOND.includes(id!)),
    ({ condemns: [id] }) => id!.split('.').slice(2).join('.'),
  ),
].filter((_, index) => index % 4 === 0);

test('what is pasted shows the contradiction again, on the faulty target and not on a sound one', async () => {
  const unseen: string[] = [];
  for (const [statement, ofIt] of SAMPLE) {
    const results: Pasted[] = [];
    for (const fault of ofIt.slice(0, MOST_TRIED)) {
      results.push(await pasted(fault));
      if (results.at(-1)!.differs) break;
    }
    if (!results.some(({ differs }) => differs)) unseen.push(statement);
  }
  expect(SAMPLE.length).toBeGreaterThan(20);
  expect(unseen).toEqual([]);
});
