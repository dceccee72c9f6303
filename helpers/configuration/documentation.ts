/** Generates the users' documentation of the settings. */
import { defaultText, type Setting, settings } from './settings.ts';

const sentence = (words: string) => `${words[0]?.toUpperCase()}${words.slice(1)}.`;

/** The meaning and default of a setting, as a sentence. */
export function described(setting: Setting): string {
  const otherwise = defaultText(setting);
  return sentence(otherwise === undefined ? setting.meaning : `${setting.meaning} (default: ${otherwise})`);
}

const variables = () =>
  settings.flatMap(([, setting]) => (setting.variable ? [{ ...setting, variable: setting.variable }] : []));

/** The text of `.env.example`: every variable, unset, below its meaning. */
export function envExample(): string {
  const entries = variables().map((setting) => {
    const secret = setting.secret ? ' Secret.' : '';
    return `# ${described(setting)}${secret}\n${setting.variable}=\n`;
  });
  return `# Copy to .env and fill in what applies. An empty value is the same as none; the process environment wins over this file.
# With no TARGET_* variable the run is against the embedded sandbox; one that is there, though empty, shows that a target was meant, and
# without an address the run ends with 2. Quote a value that holds # or spaces: '...'.

${entries.join('\n')}`;
}

const INTRODUCTION =
  'Read from options, then the process environment, then `.env`; an empty text is the same as unset, but a `TARGET_*` variable that is there, though ' +
  'empty, shows that a target was meant: without an address that is a fault, and never a run on the embedded sandbox. ' +
  'All faults are reported at once, one line each, with exit code 2.';

/** The documentation page of the variables, in Markdown. */
export function configurationPage(): string {
  const cell = (words: string) => words.replaceAll('|', '\\|');
  const rows = variables().map((setting) => {
    const option = setting.option ? ` \`--${setting.option}\`` : '';
    const meaning = sentence(setting.meaning) + (setting.secret ? ' Secret.' : '');
    const fixed = setting.default && !setting.otherwise;
    const otherwise = fixed ? `\`${setting.default}\`` : (setting.otherwise ?? '');
    return `| \`${setting.variable}\`${option} | ${cell(meaning)} | ${cell(otherwise)} |\n`;
  });
  return `# Configuration\n\n${INTRODUCTION}\n\n| variable, option | meaning | default |\n| --- | --- | --- |\n${rows.join('')}`;
}
