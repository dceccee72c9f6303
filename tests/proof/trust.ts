/** The proof as a page for people: docs/trust.md. */
import type { Selfcheck } from './selfcheck.ts';

/** Killers of one fault beyond this many are counted only. */
const MOST_KILLERS = 4;

export function trustPage({ faults, whole, variants }: Selfcheck): string {
  const condemned = faults.filter(({ missed }) => missed.length === 0).length;
  const accused = variants.filter((variant) => variant.accused.length > 0).length;
  return [
    '# Trust',
    '',
    'Written by `npm run selfcheck`. A suite is worth what its verdicts are worth, so it is held against implementations',
    'that are broken on purpose and against sound ones that use the freedom that the documents leave.',
    '',
    `- **${condemned} of ${faults.length}** faulty implementations are condemned, by the requirement that they break; ${whole.length} of them were proved by full runs, too.`,
    `- **${accused} of ${variants.length}** conformant implementations are accused.`,
    '',
    '## Faulty implementations',
    '',
    '| what is broken | condemned by |',
    '| --- | --- |',
    ...faults.map(
      ({ name, missed, condemns, killedBy }) =>
        `| ${cell(name)} | ${missed.length > 0 ? `**survives**: ${missed.join(', ')}` : killers(condemns, killedBy)} |`,
    ),
    '',
    '## Conformant implementations',
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

function killers(condemns: readonly string[], killedBy: readonly string[]): string {
  const others = killedBy.filter((id) => !condemns.includes(id));
  const more =
    others.length > MOST_KILLERS ? `, and ${others.length} more` : others.length > 0 ? `, ${others.join(', ')}` : '';
  return condemns.map((id) => `\`${id}\``).join(', ') + more;
}

const cell = (text: string) => text.replaceAll('|', '\\|');
