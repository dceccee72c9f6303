/** Generates the texts of all artefacts made from the contracts. */
import { stringify } from 'yaml';
import { inventedTarget, requestExamples, type TargetValues, targetExamples } from '../contracts/publish/examples.ts';
import { jsonSchemas } from '../contracts/publish/json-schema.ts';
import { openApi } from '../contracts/publish/openapi.ts';
import { overlay } from '../contracts/publish/overlay.ts';
import { writeJson } from '../files/json.ts';
import { playPacts } from './pact/published.ts';

/** Directory of the published artefacts, below the project's root. */
export const PUBLISHED = 'contracts/published';

export const INTERFACES = ['token', 'v3', 'v1'] as const;

/**
 * Texts by path below {@link PUBLISHED}; the same on every machine. @throws Error when an interaction of a pact fails
 */
export async function publishedFiles(): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const [name, schema] of Object.entries(jsonSchemas())) files[`schemas/${name}.json`] = json(schema);
  for (const at of INTERFACES) {
    const document = openApi(at);
    files[`openapi-${at}.json`] = json(document);
    files[`openapi-${at}.yaml`] = stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
    files[`overlay-${at}.json`] = json(overlay(at, targetExamples(inventedTarget)));
  }
  for (const [name, pact] of Object.entries(await playPacts())) files[`pacts/${name}`] = json(pact);
  return files;
}

/** Texts by file name: the overlays with a target's values, and the resulting OpenAPI documents. */
export function filesForTarget(target: TargetValues): Record<string, string> {
  return Object.fromEntries(
    INTERFACES.flatMap((at) => [
      [`overlay-${at}.json`, json(overlay(at, targetExamples(target)))],
      [`openapi-${at}.json`, json(openApi(at, requestExamples(target)))],
    ]),
  );
}

const json = (value: unknown) => `${writeJson(value, 2)}\n`;
