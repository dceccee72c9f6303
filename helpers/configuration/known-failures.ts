/** Parses the list of known failures. */
import { createRequire } from 'node:module';
import { z } from 'zod';
import { Invalid } from './invalid.ts';
import { schemaFaults } from './schema-faults.ts';

/** An expected failure of a target: keeps its verdict but does not affect the exit code. */
export interface KnownFailure {
  /** Pattern of requirement ids, see `matches` in contracts/pattern.ts. */
  id: string;
  reason: string;
  link?: string;
  /** YYYY-MM-DD; after that day it counts like any other failure. */
  expires?: string;
}

/** Loads the YAML parser on demand: that takes as long as reading all settings, and few runs have such a list. */
const yaml = () => createRequire(import.meta.url)('yaml') as typeof import('yaml');

const words = z.string({ error: 'must be text' }).trim().min(1, { error: 'must not be empty' });
const day = z.iso.date({ error: 'must be a date as YYYY-MM-DD' });

/** `expires` is the documented name of the expiry date; `expiry` is accepted as well. */
const entry = z
  .strictObject({
    id: words,
    reason: words,
    link: z.url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' }).optional(),
    expires: day.optional(),
    expiry: day.optional(),
  })
  .transform(({ expiry, ...known }): KnownFailure => (expiry ? { expires: expiry, ...known } : known));

const entries = z.array(entry, { error: 'must be a YAML list of entries with id and reason' });

/** Parses a YAML list of known failures; an empty file is an empty list. @throws {@link Invalid} with all faults */
export function parseKnownFailures(text: string): KnownFailure[] {
  const document = yaml().parseDocument(text);
  const [error] = document.errors;
  if (error) throw new Invalid(`not valid YAML at line ${error.linePos?.[0].line ?? 1}`);
  let data: unknown;
  try {
    data = document.toJS();
  } catch {
    throw new Invalid('not valid YAML: an alias leads nowhere or repeats too much');
  }
  const result = entries.safeParse(data ?? []);
  if (!result.success) throw new Invalid(...schemaFaults(result.error));
  return result.data;
}
