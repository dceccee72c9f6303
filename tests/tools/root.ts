import { join } from 'node:path';

/** The clone. */
export const ROOT = join(import.meta.dirname, '../..');
