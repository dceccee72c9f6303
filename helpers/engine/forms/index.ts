/** Forms of values, each named once by its kind: what a table tries names a kind, so that a new form reaches all its siblings. */
export * from './credentials.ts';
export * from './edits.ts';
export * from './integers.ts';
export * from './invented.ts';
export * from './look-alikes.ts';
export * from './mistakes.ts';
export * from './odd-endings.ts';
export * from './odd-values.ts';
export * from './permissions.ts';
export * from './texts.ts';
