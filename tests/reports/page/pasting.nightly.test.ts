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
import { answer } from '../record-builder.ts';
import { isReproduced } from './pasted.ts';
import { Recorder } from './synthetic.ts';

const SHELLS = ['bash', 'dash'].filter((shell) => spawnSync(shell, ['-c', 'true']).status === 0);

const NAMES = ['PROMPT_COMMAND', 'PS1', 'BASH_ENV', 'PATH', 'LD_PRELOAD', 'AWS_SECRET_ACCESS_KEY', 'IFS', 'HOME'];

/** Text that wants to run, to name a variable, or to end a quotation; `@` stands for the file that it would make. */
const TEXTS = [
  ...NAMES.flatMap((name) => [`<${name}>`, `<REDACTED_${name}>`, `<TARGET_${name}>`]),
  ...NAMES.flatMap((name) => [`$${name}`, `\${${name}}`, `"$${name}"`, `'"$${name}"'`]),
  ...LABELS.map((label) => `<REDACTED_${label}>`),
  ...['touch @', 'echo owned > @'].flatMap((command) => [
    command,
    `$(${command})`,
    `\`${command}\``,
    `<(${command})`,
    `{${command.replace(' ', ',')}}`,
    `;${command};`,
    `|${command}`,
    `&& ${command} &&`,
    `) ; ${command} ; (`,
    `!!; ${command}`,
    `'; ${command}; '`,
    `"; ${command}; "`,
    `\\'; ${command} #`,
    `%'; ${command}; printf '`,
    `\n${command}\n`,
    `\r\n${command}\r\n`,
    `\u0003\n${command}\n`,
    `\u001b[201~\n${command}\n`,
    `'\n)\n${command}\n(\n'`,
    `EOF\n${command}\nEOF`,
  ]),
];

/** The text in JSON, as it is and with every character escaped. */
const quotations = (text: string): string[] => [
  JSON.stringify(text),
  `"${[...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`,
];

/** The record of a run against a target that answers with the text wherever a later request carries what it answered. */
function recorded(quoted: string, text: string): Exchange[] {
  const by = new SecretRedactor('mask');
  by.learn('the-client-secret-1', 'CLIENT_SECRET');
  const token = JSON.parse(quoted) as string;
  const recorder = new Recorder();
  const send = (operation: string, path: string, headers: Record<string, string>, body: string | null, said: string) =>
    recorder.send(operation, {
      request: {
        method: body === null ? 'GET' : 'POST',
        url: by.url(`http://target.invalid/${path}`),
        headers: by.headers(headers),
        body: body && by.body(body, headers['content-type']!).text,
      },
      response: {
        ...answer(200, by.body(said, 'application/json').text),
        headers: by.headers({ 'x-said': token.replaceAll(/[^\x20-\x7e]/g, ' ') }),
      },
    });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const json = { 'content-type': 'application/json', authorization: `Bearer ${token.replaceAll(/[\r\n]/g, '')}` };
  const given = `{"access_token":${quoted},"${text.replaceAll(/\W/g, '_')}":${quoted},"pin":${quoted}}`;
  send('token.issue', 'token', form, 'client_secret=the-client-secret-1', given);
  const card = `{"identifier":${quoted},"sessionId":${quoted}}`;
  send('cards.get', `cards/${encodeURIComponent(text)}`, json, null, card);
  const path = `cards/x/transfer?sessionId=${text.replaceAll(/[&#\s]/g, '')}`;
  const transfer = `{"targetCardIdentifier":${quoted},"comment":${quoted},"amount":1}`;
  send('cards.transfer', path, json, transfer, '{}');
  return recorder.exchanges;
}

test.each(SHELLS)('%s', (shell) => {
  const directory = temporaryDirectory();
  const file = (name: string) => join(directory, name);
  // Answers with the text, so that what is kept of an answer is hostile too.
  const curl = `#!/bin/sh\nfor one in "$@"; do printf '%s\\n' "$one"; done >> ${file('sent')}\ncat ${file('answer')}\n`;
  writeFileSync(file('curl'), curl, { mode: 0o755 });
  const texts = TEXTS.map((text) => text.replaceAll('@', file('made')));
  const cases = texts.flatMap((text) => quotations(text).map((quoted) => ({ text, quoted })));
  const names = 'set | grep -v ^_= | grep -v ^BASH_ | grep -v ^PIPESTATUS= | grep -v ^LINENO= | grep -v ^OPTIND=';
  const leaked = 'canary-of-the-reader';
  const env = {
    PATH: `${directory}:${process.env.PATH}`,
    HOME: directory,
    ...Object.fromEntries(['', 'REDACTED_', 'TARGET_'].map((prefix) => [`${prefix}AWS_SECRET_ACCESS_KEY`, leaked])),
    ...Object.fromEntries(LABELS.map((label) => [`TARGET_${label}`, `canary-of-${label}`])),
  };
  // The login of the run needs the secret of the client; nothing that the target names may bring another one.
  const needed = ['CLIENT_SECRET', 'SESSION_ID', 'ACCESS_TOKEN', 'AUTHORIZATION'];
  const others = LABELS.filter((label) => !needed.includes(label)).map((label) => `canary-of-${label}`);
  for (const { quoted, text } of cases) {
    const exchanges = recorded(quoted, text);
    const givers = new Map(exchanges.flatMap((one) => giftsOf(one).map(({ key }) => [key, [one]] as const)));
    writeFileSync(file('answer'), `HTTP/1.1 200\r\n\r\n{"access_token":${quoted}}`);
    writeFileSync(file('sent'), '');
    rmSync(file('after'), { force: true });
    const script = curlScript(scriptOf(exchanges, [], givers), text);
    const pasted = `${names} > ${file('before')}\n${script}\n${names} > ${file('after')}\ntrue\n`;
    const options = shell === 'bash' ? ['--norc', '--noprofile', '-i'] : ['-i'];
    execFileSync(shell, options, { input: pasted, cwd: directory, stdio: ['pipe', 'ignore', 'ignore'], env });
    expect(existsSync(file('made')), `${JSON.stringify(text)} ran:\n${script}`).toBe(false);
    // What stands in an address is percent-encoded.
    const sent = readFileSync(file('sent'), 'utf8').replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
      Buffer.from(bytes.replaceAll('%', ''), 'hex').toString(),
    );
    expect(sent, script).toContain('--url');
    for (const secret of [leaked, ...others]) expect(sent, `${text}\n${script}`).not.toContain(secret);
    expect(readFileSync(file('after'), 'utf8')).toBe(readFileSync(file('before'), 'utf8'));
  }
  promise('reproduction', `pasted into ${shell}`, { attempts: cases.length, held: cases.length });
});

/** Requirements whose contradictions no few requests, one after the other, show in a value that is otherwise the same each time. */
const BEYOND = [
  'token.issue.expires-after-not-before',
  'token.issue.expires-on', // between two times, which are others each time
  'token.issue.lives-60-minutes',
  'token.issue.ends-after-60-minutes', // once an hour has passed
  'portal.login.sessions-differ', // at the same moment
  'portal.login.begins-session',
  'cards.get.same-card', // by what was asked before
  // after many uses, in many answers together, on every card of a state
  'token.issue.usable-until-expiry',
  'portal.getCustomerProgramList.known-programs',
  'cards.activate.nothing-else',
  'cards.close.nothing-else',
  'cards.list.filtered-members',
];

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
    let isSeen = false;
    // Some show only over time, at the same moment, or of what the run did before, which a sandbox that starts anew has not.
    for (const fault of ofIt.slice(0, 9)) isSeen ||= await isReproduced(fault);
    if (!isSeen) unseen.push(statement);
  }
  expect(SAMPLE.length).toBeGreaterThan(20);
  expect(unseen).toEqual([]);
});
