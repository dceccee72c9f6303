import fc from 'fast-check';

/** Any text, half of its characters of Latin-1: fast-check's own takes a second to be made. */
export const anyText = fc.string({
  unit: fc.oneof(fc.nat(0xff), fc.nat(0x10ffff)).map((code) => String.fromCodePoint(code)),
});
