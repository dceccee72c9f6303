/** Writes the result of the selfcheck as pages: docs/trust.md with the figures, and a list of every fault and variant. */
import { operations } from '../../contracts/operations.ts';
import type { FaultProof } from './prove.ts';
import type { Selfcheck } from './selfcheck.ts';

/** Unexpected failing requirements to list by id; if there are more, only their number is given. */
const MOST_OTHERS = 4;

/** The content of docs/trust.md: the figures, and a table of them by operation. */
export function trustPage(result: Selfcheck): string {
  const { faults, whole, variants } = result;
  const shown = faults.filter((one) => one.recorded);
  const of = (target: FaultProof['target'], isOperator?: true) =>
    faults.filter((one) => one.target === target && one.isOperator === isOperator).length;
  const accused = variants.filter((variant) => variant.accused.length > 0).length;
  return [
    '# Trust',
    '',
    'Written by `npm run selfcheck`. A suite is worth what its verdicts are worth, so it is run against implementations',
    'that are broken on purpose, and against sound ones that use the freedom that the documents leave.',
    '',
    `- **${condemned(faults)} of ${faults.length}** faulty implementations are condemned, by the requirement that they break; ${whole.length} of them were proved by full runs over HTTP, too,`,
    `  and ${faults.filter(({ isThorough }) => isThorough).length} by \`--thorough\` alone: what shows them is not the turn of the seed.`,
    `  ${of('sandbox', true)} of them are what any implementation can have wrong at an operation, by its contract, made of the sandbox, and ${of('second target', true)} the same`,
    `  made of a second target, which was written from the documents alone. ${of('sandbox')} others are faults of the sandbox, and ${of('second target')} of the second target, by hand:`,
    '  each of them says something of its own: without it there would be a contradiction of a check, or a form of request in all checks of its',
    '  kind, which no other fault makes come about, nor an operator. Of 1,221 and 868 that there were these are left, and what others thought of',
    '  that was missed at first; of those that made the same come about, the hardest to find stayed. Each form reaches every operation by the engine,',
    '  so it needs a fault of one of them.',
    `- **${accused} of ${variants.length}** conformant implementations are accused. What one implementation can be at once is judged by one run, three at a time.`,
    '- Requests go to them in the process that judges, without a connection, save in those full runs and where a freedom is about how answers are',
    '  sent, of the second target, too; hostile targets and all that is tested as a user would call it are reached over HTTP.',
    '',
    'The same command writes every fault with what condemned it, and every variant, to `reports/selfcheck.md`;',
    '`npm run explain -- --faults ID` names the faults of one requirement, and [catalogue.md](catalogue.md) those of each statement of the documents.',
    '',
    `What a run exchanged is judged once more as a recording, without the target: of ${shown.length} faults that break what exchanges alone can show,`,
    `**${recorded(shown, 'condemned')}** are condemned by it, and ${recorded(shown, 'suspected')} suspected, which a run against the target has to try again. The others show by`,
    'effects that checks look for, or by readings that were repeated.',
    '',
    '## What a run does not see',
    '',
    'Faults of the second target that were tried, break a must, and survive:',
    '',
    '- what wants two cards of one customer that are both free, where the pool has none: transfers within a customer, paid by another card of it;',
    '- an effect on a card that no request names, and that no reading happens upon;',
    '- what fails one time in four or more of an operation that a run asks only a few times, or whose refusal is no contradiction (reading 7);',
    '- a memory that is longer than what a run asks: an externalIdentifier that is forgotten after ten other orders;',
    '- what shows only of a second card that is used up: one card is closed, marked lost and activated by a run;',
    '- a form of a value that rotates, and is not the turn of this seed: `--thorough` tries all.',
    '',
    '## By operation',
    '',
    '| operation | faults | condemned | requirements that a fault makes fail | shown by exchanges alone | condemned from a recording | suspected |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...[...Map.groupBy(faults, operationOf)].map(([operation, ones]) => {
      const proved = new Set(ones.flatMap(({ condemns, missed }) => condemns.filter((id) => !missed.includes(id))));
      const alone = ones.filter((one) => one.recorded);
      const counts = [ones.length, condemned(ones), proved.size, alone.length];
      return `| ${[operation, ...counts, recorded(alone, 'condemned'), recorded(alone, 'suspected')].join(' | ')} |`;
    }),
    '',
  ].join('\n');
}

/** The content of reports/selfcheck.md: every fault and every variant. */
export function longList({ faults, variants }: Selfcheck): string {
  return [
    '# Faulty implementations',
    '',
    '| what is broken | condemned by |',
    '| --- | --- |',
    ...faults.map(
      ({ name, missed, condemns, killedBy }) =>
        `| ${cell(name)} | ${missed.length > 0 ? `**survives**: ${missed.join(', ')}` : failing(condemns, killedBy)} |`,
    ),
    '',
    '# Conformant implementations',
    '',
    '| which freedom is used | accused of |',
    '| --- | --- |',
    ...variants.map(
      ({ name, accused }) =>
        `| ${cell(name)} | ${accused.map(({ requirement }) => requirement).join(', ') || 'nothing'} |`,
    ),
    '',
  ].join('\n');
}

const condemned = (faults: readonly FaultProof[]): number => faults.filter(({ missed }) => missed.length === 0).length;

const recorded = (faults: readonly FaultProof[], as: FaultProof['recorded']): number =>
  faults.filter((one) => one.recorded === as).length;

/** The operation of the first requirement that a fault breaks. */
const operationOf = ({ condemns }: FaultProof): string =>
  operations.find(({ id }) => condemns[0]!.startsWith(`${id}.`))?.id ?? condemns[0]!;

function failing(condemns: readonly string[], killedBy: readonly string[]): string {
  const others = killedBy.filter((id) => !condemns.includes(id));
  const more =
    others.length > MOST_OTHERS ? `, and ${others.length} more` : others.length > 0 ? `, ${others.join(', ')}` : '';
  return condemns.map((id) => `\`${id}\``).join(', ') + more;
}

const cell = (text: string) => text.replaceAll('|', '\\|');
