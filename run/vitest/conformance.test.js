/** The entry of vitest, which loads it anew for every run: in JavaScript, since types of it would have to be stripped each time. */
import { existsSync } from 'node:fs';

const isBuilt = existsSync(new URL('./conformance.js', import.meta.url));
const { declareConformance } = await import(isBuilt ? './conformance.js' : './conformance.ts');
declareConformance();
