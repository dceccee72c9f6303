/** `npm run selfcheck`: proves the suite, prints the two numbers and what survives, writes docs/trust.md, and to reports/ selfcheck.md (every fault and variant) and selfcheck.json. */
import { writeFileSync } from 'node:fs';
import { holds, type Selfcheck, selfcheck } from '../tests/proof/selfcheck.ts';
import { longList, trustPage } from '../tests/proof/trust.ts';

const start = performance.now();
let done = 0;
const result = await selfcheck((proof) => {
  done++;
  if (proof.kind === 'broke') console.error(`broke: ${proof.name}: ${proof.message}`);
  if (process.stderr.isTTY) process.stderr.write(`\r${done} proofs`);
});
if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K');
writeFileSync('reports/selfcheck.json', `${JSON.stringify(result, null, 1)}\n`);
writeFileSync('reports/selfcheck.md', longList(result));
writeFileSync('docs/trust.md', trustPage(result));
report(result);
process.exitCode = result.void !== undefined ? 2 : holds(result) ? 0 : 1;

function report({ faults, whole, variants, broke, unproved, void: why }: Selfcheck): void {
  const survivors = [...faults, ...whole].filter(({ missed }) => missed.length > 0);
  const accused = variants.filter((variant) => variant.accused.length + variant.blocked.length > 0);
  for (const { name, missed, killedBy } of survivors)
    console.log(
      `survives: ${name}: ${missed.join(', ')} did not fail${killedBy.length > 0 ? `, ${killedBy.join(', ')} did` : ''}`,
    );
  for (const { name, accused, blocked } of variants)
    for (const { requirement, message } of [...accused, ...blocked])
      console.log(`accused: ${name}: ${requirement}: ${message}`);
  for (const { name, message } of broke) console.log(`broke: ${name}: ${message}`);
  for (const id of unproved) console.log(`no fault makes it fail: ${id}`);
  const condemned = faults.filter(({ missed }) => missed.length === 0).length;
  console.log(
    `${condemned} of ${faults.length} faulty implementations condemned, naming the right requirement (${whole.length} of them by full runs, too)`,
  );
  console.log(`${accused.length} of ${variants.length} conformant implementations accused`);
  console.log(`${Math.round((performance.now() - start) / 1000)} seconds; see docs/trust.md and reports/selfcheck.md`);
  if (why) console.error(`The result is void: ${why}`);
}
