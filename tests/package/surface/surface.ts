/** What others rely on of the suite, a line for each thing; a line that is gone breaks somebody. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT_CANNOT, EXIT_FINDING, EXIT_INTERRUPTED } from '../../../cli/exit-codes.ts';
import { type JsonSchema, jsonSchemas } from '../../../contracts/publish/json-schema.ts';
import { requirements } from '../../../contracts/requirements/index.ts';
import { SETTINGS, type Setting } from '../../../helpers/configuration/settings.ts';
import { ROOT } from '../../tools/root.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Package, as npm reads it. */
export const manifest = JSON.parse(read('package.json')) as {
  version: string;
  bin: Record<string, string>;
  exports: Record<string, { default: string } | string>;
};

/** Names that a module exports, types among them, by its text; a module whose everything is passed on gives its names, too. */
function exportsOf(path: string): string[] {
  const text = read(path);
  const declared = [
    ...text.matchAll(/^export (?:declare )?(?:async )?(?:const|function|class|interface|type) (\w+)/gm),
  ].map(([, name]) => name!);
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names]) =>
    names!.split(',').map((name) =>
      name
        .trim()
        .replace(/^type /, '')
        .replace(/^\w+ as /, ''),
    ),
  );
  const passedOn = [...text.matchAll(/^export \* from '(.*)'/gm)].flatMap(([, from]) =>
    exportsOf(join(path, '..', from!)),
  );
  return [...declared, ...listed.filter(Boolean), ...passedOn];
}

/** Members of a schema with their types, those of arrays below `[]`, and whether they are always there. */
function members(schema: JsonSchema, at: string): string[] {
  const { type, properties, items, required, anyOf } = schema as {
    type?: string;
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
    required?: string[];
    anyOf?: JsonSchema[];
  };
  if (properties)
    return Object.entries(properties).flatMap(([name, member]) =>
      members(member, `${at}.${name}${required?.includes(name) ? '' : '?'}`),
    );
  if (items) return members(items, `${at}[]`);
  return [`${at}: ${type ?? (anyOf ?? []).map((one) => one.type).join(' | ')}`];
}

/** Every line of the surface, sorted. */
export function surface(): string[] {
  const help = execFileSync(process.execPath, [join(ROOT, 'cli/start.js'), 'help'], { encoding: 'utf8' });
  const subcommands = [...help.matchAll(/^ {2}([\w-]+) {2,}/gm)].map(([, name]) => `subcommand ${name}`);
  const settings = Object.values(SETTINGS).flatMap(({ variable, option }: Setting) => [
    ...(variable ? [`variable ${variable}`] : []),
    ...(option ? [`option --${option}`] : []),
  ]);
  const entries = Object.entries(manifest.exports).flatMap(([entry, target]) => {
    if (typeof target === 'string') return [`entry ${entry}`];
    const source = target.default.replace('./dist/', '').replace(/\.js$/, '.ts');
    return exportsOf(source).map((name) => `export ${entry} ${name}`);
  });
  const schemas = jsonSchemas();
  const files = ['conformance', 'exchange', 'change', 'fixtures'].flatMap((name) =>
    members(schemas[`run/${name}`]!, name),
  );
  return [
    ...Object.keys(manifest.bin).map((name) => `program ${name}`),
    ...subcommands,
    ...settings,
    ...entries,
    `exit code ${EXIT_FINDING} finding`,
    `exit code ${EXIT_CANNOT} cannot`,
    `exit code ${EXIT_INTERRUPTED} interrupted`,
    ...files.map((line) => `file ${line}`),
    ...requirements.map(({ id }) => `requirement ${id}`),
  ].sort();
}
