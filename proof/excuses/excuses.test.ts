/** Which excuses no freedom needs is written down, with the reason for which each stands. */
import { expect, test } from 'vitest';
import { excuses } from './sites.ts';
import { WITHOUT_FREEDOM } from './without-freedom.ts';

test('each excuse that is said to need no freedom is one of the suite', () => {
  const all = excuses().map(({ file, reason }) => `${file}: ${reason}`);
  expect(all.length).toBeGreaterThan(150);
  const listed = Object.entries(WITHOUT_FREEDOM).flatMap(([file, reasons]) =>
    Object.keys(reasons).map((reason) => `${file}: ${reason}`),
  );
  expect(listed.filter((one) => !all.includes(one))).toEqual([]);
});
