/** npm scripts whose name differs from their subcommand. */
const SCRIPTS: Record<string, string> = {
  run: 'npm start --',
  'report-allure': 'npm run report:allure --',
  'verify-pact': 'npm run verify:pact --',
};

/**
 * The command line of a subcommand: an npm script in a clone, the program's name where it is installed or runs as a GitHub
 * Action, whose user has no clone.
 * @param subcommand `report-allure`
 */
export function callOf(subcommand: string): string {
  const isClone = import.meta.url.endsWith('.ts') && !process.env.GITHUB_ACTION_PATH;
  if (!isClone) return `npx prepaid-card-conformance ${subcommand}`;
  return SCRIPTS[subcommand] ?? `npm run ${subcommand} --`;
}

/** The command line of a subcommand without arguments, for use in a sentence. */
export const callAlone = (subcommand: string): string => callOf(subcommand).replace(/ --$/, '');
