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
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found!);
  const declared = all(/^export (?:declare )?(?:async )?(?:const|function|class|interface|type) (\w+)/gm);
  const listed = all(/^export (?:type )?\{([^}]*)\}/gm).flatMap((names) => names.split(','));
  const passedOn = all(/^export \* from '(.*)'/gm).flatMap((from) => exportsOf(join(path, '..', from)));
  const named = listed.map((name) =>
    name
      .trim()
      .replace(/^type /, '')
      .replace(/^\w+ as /, ''),
  );
  return [...declared, ...named.filter(Boolean), ...passedOn];
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
  const optional = (name: string) => (required?.includes(name) ? '' : '?');
  if (properties)
    return Object.entries(properties).flatMap(([name, one]) => members(one, `${at}.${name}${optional(name)}`));
  return items ? members(items, `${at}[]`) : [`${at}: ${type ?? (anyOf ?? []).map((one) => one.type).join(' | ')}`];
}

/** Every line of the surface, sorted. */
export function surface(): string[] {
  const help = execFileSync(process.execPath, [join(ROOT, 'cli/start.js'), 'help'], { encoding: 'utf8' });
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
  const files = ['conformance', 'exchange', 'change', 'fixtures'].flatMap((of) => members(schemas[`run/${of}`]!, of));
  const codes = { finding: EXIT_FINDING, cannot: EXIT_CANNOT, interrupted: EXIT_INTERRUPTED };
  return [
    ...Object.keys(manifest.bin).map((name) => `program ${name}`),
    ...[...help.matchAll(/^ {2}([\w-]+) {2,}/gm)].map(([, name]) => `subcommand ${name}`),
    ...settings,
    ...entries,
    ...Object.entries(codes).map(([name, code]) => `exit code ${code} ${name}`),
    ...files.map((line) => `file ${line}`),
    ...requirements.map(({ id }) => `requirement ${id}`),
  ].sort();
}
