/** What earlier runs tried of what rotates, as far as later ones choose by it (reading 52). */
import type { Rotated } from './record.ts';

/** What earlier runs tried, the latest first. Its names are digests: see {@link digestOf}. */
export type Past = readonly (readonly Rotated[])[];

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** A short digest (FNV-1a, 32 bits) of the name of a subject or form, as the record has it: a year of nights is kept, and names are long. */
export function digestOf(name: string): string {
  let hash = FNV_OFFSET;
  for (let place = 0; place < name.length; place++) hash = Math.imul(hash ^ name.charCodeAt(place), FNV_PRIME);
  return (hash >>> 0).toString(36);
}

/** What a run tried, with digests in place of names. */
export const digested = ({ subject, tried, forms, suspected = [], left = [] }: Rotated): Rotated => ({
  subject: digestOf(subject),
  tried: tried.map(digestOf),
  forms,
  suspected: suspected.map(({ form, failed }) => ({ form: digestOf(form), failed })),
  left: left.map(digestOf),
});
