/** Sections of docs/trust.md that commands write by themselves. */

const beginOf = (command: string) => `<!-- written by npm run ${command} -->`;
const endOf = (command: string) => `<!-- end of what npm run ${command} writes -->`;

/** Commands that write a section, in the order of the page. */
const COMMANDS = ['selfcheck, causes', 'mutate'] as const;

type Command = (typeof COMMANDS)[number];

/** The page with the section of a command replaced, or appended where it has none. */
export function withSection(page: string, command: Command, section: string): string {
  const whole = `${beginOf(command)}\n${section}\n${endOf(command)}`;
  const [before = '', rest] = page.split(beginOf(command));
  const after = rest?.split(endOf(command))[1] || '\n';
  return `${before.trimEnd()}\n\n${whole}${after}`;
}

/** A page with the sections that another has. */
export const withSectionsOf = (page: string, other: string): string =>
  COMMANDS.reduce((whole, command) => {
    const section = other.split(beginOf(command))[1]?.split(endOf(command))[0]?.trim();
    return section === undefined ? whole : withSection(whole, command, section);
  }, page);
