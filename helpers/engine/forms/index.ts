/** Forms of values, each named once by its kind: what a table tries names a kind, so that a new form reaches all its siblings. */
export * from './caseless.ts';
export * from './credentials.ts';
export * from './integers.ts';
export * from './invented.ts';
export * from './look-alikes.ts';
export * from './odd-endings.ts';
export * from './texts.ts';
