/** `list`: lists the catalogue, without a run. */
import { Command } from 'commander';
import { matches } from '../contracts/pattern.ts';
import { exclusions, type Requirement, requirements } from '../contracts/requirements/index.ts';
import { program } from './command.ts';
import { needsInWords, unknownId } from './explain.ts';
import { readTrails, type Trail } from './trail.ts';

const command = new Command()
  .description('Lists the requirements of the catalogue by section of the documents, and the exclusions.')
  .argument(
    '[id]',
    'a requirement, a prefix that ends at a dot (cards.get), or a pattern with * (*.requires-token)',
    '*',
  );

/** Prints the catalogue, or the part that a pattern matches; exits with 2 if there is none. */
export const list = program('list', command, async () => {
  const pattern: string = command.processedArgs[0];
  const trails = await readTrails();
  const chosen = requirements.filter(({ id }) => matches(pattern, id));
  const excluded = exclusions.filter(({ id }) => matches(pattern, id));
  if (chosen.length + excluded.length === 0) throw unknownId(pattern);
  const sections = Map.groupBy(chosen, ({ source }) => `${source.document}, "${source.section}"`);
  for (const [section, ones] of sections) {
    console.log(`${section}`);
    for (const one of ones) console.log(requirementLines(one, trails.get(one.id)!));
    console.log();
  }
  if (excluded.length > 0) console.log('Excluded: stated by the documents, but not checkable from outside');
  for (const { id, text, reason } of excluded) console.log(`  ${id}\n    ${text}: ${reason}`);
  const musts = chosen.filter(({ level }) => level === 'must').length;
  console.log(`${chosen.length} requirements: ${musts} must, ${chosen.length - musts} should`);
  return 0;
});

function requirementLines(requirement: Requirement, { checks, faults }: Trail): string {
  const files = [...new Set(checks.map(({ file }) => file))].join(', ');
  const proof = faults ? `; ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}` : '';
  return [
    `  ${requirement.level.padEnd(6)}  ${requirement.id}`,
    `          ${requirement.text}`,
    `          ${needsInWords(requirement)}; ${files}${proof}`,
  ].join('\n');
}
