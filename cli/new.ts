/** `npm run new -- KIND NAME`: writes what something new needs, in every place that needs it, and says what is to be filled in. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { program } from './command.ts';
import { KINDS, MARK, type Place } from './scaffold/places.ts';

const ROOT = join(import.meta.dirname, '..');

const command = new Command().description(
  `Writes what is to be filled in, marked ${MARK}, in every place that something new needs.`,
);
for (const [kind, { argument }] of Object.entries(KINDS))
  command
    .command(kind)
    .description(`a new ${kind}`)
    .argument('<name>', argument)
    .action((name) => write(kind, name));

/** @throws Error when the name is none for that, or a place is not where it was */
function write(kind: string, name: string): void {
  const places = KINDS[kind]!.placesOf(name);
  const taken = places.find((place) => isNewFile(place) && existsSync(join(ROOT, place.file)));
  if (taken) throw new Error(`${taken.file} is there already`);
  // Nothing is written unless everything can be.
  for (const place of places) textWith(place);
  for (const place of places) {
    const file = join(ROOT, place.file);
    if (place.before === undefined && place.after === undefined) appendFileSync(file, place.text);
    else writeFileSync(file, textWith(place));
  }
  console.log([...new Set(places.map(({ file }) => file))].join('\n'));
  console.log(
    `Fill in what is marked ${MARK}, then: npm run format && npm run publish:catalogue && npm run publish:contracts && npm test`,
  );
}

const isNewFile = ({ file, before, after }: Place) =>
  before === undefined && after === undefined && /^(suites|reports)\//.test(file);

/** The text of a file with what is written into it. */
function textWith({ file, before, after, text }: Place): string {
  const known = existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : '';
  const anchor = before ?? after ?? '';
  const at = known.indexOf(anchor);
  if (at < 0) throw new Error(`${file} has no ${JSON.stringify(anchor)}: cli/scaffold/places.ts names another place`);
  const cut = after === undefined ? at : at + after.length;
  return known.slice(0, cut) + text + known.slice(cut);
}

export const create = program('new', command, () => undefined);

process.exitCode = await create(process.argv.slice(2));
