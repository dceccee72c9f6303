/**
 * The test file that vitest loads anew for every run; in JavaScript, since TypeScript would have to be stripped every
 * time.
 */
import { existsSync } from 'node:fs';

const isBuilt = existsSync(new URL('./conformance.js', import.meta.url));
const { declareConformance } = await import(isBuilt ? './conformance.js' : './conformance.ts');
declareConformance();
