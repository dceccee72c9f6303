/** Recordings in the forms in which tools leave them: zip archives, attachments beside an archive, exports of newman, directories of all these. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import type { Entry } from 'har-format';
import { expect, test } from 'vitest';
import { judgeRecordings } from '../../run/judge.ts';
import { configurationOf } from '../../run/options.ts';
import { readRecording } from '../../witness/recordings.ts';
import { temporaryDirectory } from '../tools/directory.ts';
import { BASE, entry } from './entries.ts';

const archive = (...entries: Entry[]) => JSON.stringify({ log: { version: '1.2', entries } });

/** A listing of cards: of a sound target, or of one whose identifiers are numbers. */
const listed = (identifier: unknown) => ({ results: [{ identifier }] });
const SOUND = listed('c-1');
const BROKEN = listed(7);
const listing = (answer: unknown) =>
  entry({ request: 'GET /cards/cards?max=5', headers: { Authorization: 'Bearer t-1' }, answer });

/** The same with the body in a file of its own, as Playwright attaches it. */
function attached(_file: string, answer: unknown): Entry {
  const { response, ...one } = listing(answer);
  const { text: _, ...content } = response.content;
  return { ...one, response: { ...response, content: { ...content, _file } } } as unknown as Entry;
}

/** A zip archive of deflated files. */
function zipOf(files: Record<string, string>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const [content, packed] = [Buffer.from(text), deflateRawSync(text)];
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(8, 4);
    about.writeUInt32LE(crc32(content), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(content.length, 18);
    about.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), about, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), about, place, Buffer.from(name));
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  for (const at of [8, 10]) end.writeUInt16LE(Object.keys(files).length, at);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}

/** An export of newman. */
const exported = (answer: unknown) =>
  JSON.stringify({
    collection: { item: [{ name: 'lists', request: { url: 'x' } }] },
    run: {
      executions: [
        {
          item: { name: 'lists' },
          request: {
            method: 'GET',
            url: {
              protocol: 'https',
              host: ['cards', 'example'],
              path: ['cards', 'cards'],
              query: [{ key: 'max', value: '5' }],
            },
            header: [
              { key: 'Authorization', value: 'Bearer t-1' },
              { key: 'X-Off', value: '1', disabled: true },
            ],
          },
          response: {
            code: 200,
            header: [{ key: 'Content-Type', value: 'application/json' }],
            stream: { type: 'Buffer', data: [...Buffer.from(JSON.stringify(answer))] },
            responseTime: 12,
          },
        },
      ],
    },
  });

/** What a judgement of recordings shows. */
async function judged(...paths: string[]) {
  const configuration = await configurationOf({ target: { baseUrl: BASE } }, { purpose: 'judgement' });
  const { signal } = new AbortController();
  const recordings = paths.map((path) => readRecording(path, { signal }));
  const { outcomes, facts } = (await judgeRecordings(configuration, recordings, undefined)).findings;
  const failed = outcomes.filter(({ verdict }) => verdict === 'failed').map(({ requirement }) => requirement);
  return { requests: facts.requests, failed, notes: facts.notes.join(' ') };
}

const FORMS: [form: string, write: (folder: string, answer: unknown) => string][] = [
  [
    'a zip archive with attachments, by Playwright',
    (folder, answer) => {
      const files = { 'trace.har': archive(attached('9f.json', answer)), '9f.json': JSON.stringify(answer) };
      writeFileSync(join(folder, 'x.har.zip'), zipOf(files));
      return 'x.har.zip';
    },
  ],
  [
    'an archive with attachments beside it, by Playwright',
    (folder, answer) => {
      writeFileSync(join(folder, 'x.har'), archive(attached('9f.json', answer)));
      writeFileSync(join(folder, '9f.json'), JSON.stringify(answer));
      return 'x.har';
    },
  ],
  [
    'an export of newman',
    (folder, answer) => {
      writeFileSync(join(folder, 'newman.json'), exported(answer));
      return 'newman.json';
    },
  ],
  [
    'a directory of directories',
    (folder, answer) => {
      mkdirSync(join(folder, 'a/b'), { recursive: true });
      writeFileSync(join(folder, 'a/b/x.har'), archive(listing(answer)));
      return 'a';
    },
  ],
];

test.each(FORMS)('%s accuses no sound target, and condemns a broken one', async (_, write) => {
  const folder = temporaryDirectory();
  expect(await judged(join(folder, write(folder, SOUND)))).toMatchObject({ requests: 1, failed: [] });
  expect(await judged(join(folder, write(folder, BROKEN)))).toMatchObject({
    requests: 1,
    failed: ['cards.list.shape'],
  });
});

test('all recordings of a directory are judged together; a file that is none is named, and costs no other', async () => {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, 'a.har'), archive(listing(SOUND)));
  writeFileSync(join(folder, 'b.json'), '{"not":"a recording"}');
  writeFileSync(join(folder, 'c.zip'), 'PK no zip');
  writeFileSync(join(folder, 'd.har.zip'), zipOf({ 'har.har': archive(listing(BROKEN)) }));
  writeFileSync(join(folder, 'e.txt'), 'notes');
  const { requests, failed, notes } = await judged(folder);
  expect({ requests, failed }).toEqual({ requests: 2, failed: ['cards.list.shape'] });
  expect(notes).toContain('2 entries are no exchange');
  expect(notes).toContain('b.json is no HTTP Archive');
  expect(notes).toContain('c.zip is no zip file that can be read');
});

test('an attachment leads nowhere else, and one that is not there is a body that was left out', async () => {
  const folder = temporaryDirectory();
  mkdirSync(join(folder, 'in'));
  writeFileSync(join(folder, 'secret.json'), JSON.stringify(BROKEN));
  for (const name of ['../secret.json', join(folder, 'secret.json'), 'gone.json']) {
    writeFileSync(join(folder, 'in/x.har'), archive(attached(name, BROKEN)));
    expect(await judged(join(folder, 'in/x.har'))).toMatchObject({ requests: 1, failed: [] });
  }
});

test.each<[string, string, Buffer]>([
  ['is no zip file', 'x.zip', Buffer.from('PK')],
  ['without an HTTP Archive', 'x.zip', zipOf({ 'a.txt': '' })],
  ['holds neither the record of a run nor recordings', '', Buffer.alloc(0)],
])('what cannot be read is named: %s', async (said, name, content) => {
  const folder = temporaryDirectory();
  if (name !== '') writeFileSync(join(folder, name), content);
  await expect(judged(join(folder, name))).rejects.toThrow(said);
});
