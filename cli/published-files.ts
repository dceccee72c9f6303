/** The texts of all artefacts that are made from the contracts. */
import { stringify } from 'yaml';
import { jsonSchemas } from '../contracts/publish/json-schema.ts';
import { openApi } from '../contracts/publish/openapi.ts';
import { playPacts } from './pact/published.ts';

/** Where the published artefacts are, below the project's root. */
export const PUBLISHED = 'contracts/published';

/** Text by path below {@link PUBLISHED}; the same on every machine. @throws Error when an interaction of a pact fails */
export async function publishedFiles(): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const [name, schema] of Object.entries(jsonSchemas())) files[`schemas/${name}.json`] = json(schema);
  for (const edition of ['v3', 'v1'] as const) {
    const document = openApi(edition);
    files[`openapi-${edition}.json`] = json(document);
    files[`openapi-${edition}.yaml`] = stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
  }
  for (const [name, pact] of Object.entries(await playPacts())) files[`pacts/${name}`] = json(pact);
  return files;
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
