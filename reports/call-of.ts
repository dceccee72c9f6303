/** Scripts of npm that are not named after their subcommand. */
const SCRIPTS: Record<string, string> = {
  run: 'npm start --',
  'report-allure': 'npm run report:allure --',
  'verify-pact': 'npm run verify:pact --',
};

/**
 * How a person calls a subcommand of this program: as a script of npm in a clone, by the name of the program where it is installed.
 * @param subcommand `report-allure`
 */
export function callOf(subcommand: string): string {
  const isClone = import.meta.url.endsWith('.ts');
  if (!isClone) return `npx prepaid-card-conformance ${subcommand}`;
  return SCRIPTS[subcommand] ?? `npm run ${subcommand} --`;
}

/** The call of a subcommand that needs no arguments, as it stands in a sentence. */
export const callAlone = (subcommand: string): string => callOf(subcommand).replace(/ --$/, '');
