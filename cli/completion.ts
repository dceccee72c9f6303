/** `completion SHELL`: prints what makes a shell complete subcommands, options and their values. */
import { Argument, Command, type Option } from 'commander';
import { FAIL_ON, RISKS } from '../contracts/record.ts';
import { requirements } from '../contracts/requirements/index.ts';
import { name as NAME } from '../helpers/manifest.ts';
import { program } from './command.ts';
import { SUBCOMMANDS } from './subcommands.ts';

/** An option with what can be said of its value. */
interface Completed {
  /** With its dashes. */
  flag: string;
  description: string;
  takesValue: boolean;
  /** The values that it takes; where there are none, files are offered. */
  values: readonly string[];
}

/** A subcommand with its options. */
interface Completable {
  name: string;
  does: string;
  options: Completed[];
}

/** The subcommand of a call that names none. */
const BY_DEFAULT = 'run';
/** Stands for the ids of all requirements, so that a script has them once. */
const IDS = ['<ids>'];
/** What options take that is not read off their commands. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  '--risk': RISKS,
  '--fail-on': FAIL_ON,
  '--only': IDS,
  '--failure': IDS,
};
/** Subcommands whose arguments are ids of requirements. */
const OF_IDS = ['explain'];

const SHELLS: Readonly<Record<string, (subcommands: readonly Completable[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

const command = new Command()
  .description('Prints what makes a shell complete subcommands, options and ids of requirements.')
  .addArgument(new Argument('<shell>').choices(Object.keys(SHELLS)))
  .addHelpText(
    'after',
    `\nIn ~/.bashrc or ~/.zshrc: source <(${NAME} completion bash), or zsh.\nIn fish: ${NAME} completion fish | source`,
  );

export const completion = program('completion', command, async () => {
  console.log(SHELLS[command.args[0]!]!(await completables()));
});

const completables = (): Promise<Completable[]> =>
  Promise.all(
    Object.entries(SUBCOMMANDS).map(async ([name, { does, load }]) => {
      // What needs a package that is not installed has no options here, either.
      const loaded = await load().catch(() => undefined);
      const options = loaded?.command?.options ?? [];
      return { name, does, options: options.filter(({ hidden }) => !hidden).flatMap(completed) };
    }),
  );

function completed({ long, description, required, optional, argChoices }: Option): Completed[] {
  if (!long) return [];
  const values = argChoices ?? VALUES[long] ?? [];
  return [{ flag: long, description, takesValue: required || optional, values }];
}

const ids = (): string => requirements.map(({ id }) => id).join(' ');

/** For bash 3.2 and later; it needs no bash-completion. */
function bashScript(subcommands: readonly Completable[]): string {
  const names = subcommands.map(({ name }) => name);
  const flags = subcommands.map(
    ({ name, options }) => `    ${name}) options='${options.map(({ flag }) => flag).join(' ')}' ;;`,
  );
  const withValues = subcommands.flatMap(({ name, options }) =>
    options
      .filter(({ values }) => values.length > 0)
      .map(({ flag, values }) => `    '${name} ${flag}') values=${wordsOf(values)} ;;`),
  );
  return `_${FUNCTION}() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  local subcommand=${BY_DEFAULT} options='' values='' ids='${ids()}'
  case "\${COMP_WORDS[1]}" in
    ${names.join('|')}) subcommand="\${COMP_WORDS[1]}" ;;
  esac
  case "$subcommand" in
${flags.join('\n')}
  esac
  case "$subcommand $before" in
${withValues.join('\n')}
  esac
  if [ -z "$values" ]; then
    case "$subcommand $word" in
      *' -'*) values="$options" ;;
      ${OF_IDS.map((name) => `'${name} '*`).join('|')}) values="$ids" ;;
    esac
    [ "$COMP_CWORD" -ne 1 ] || [ "\${word#-}" != "$word" ] || values='${names.join(' ')} help'
  fi
  # Without values there are files, by -o default.
  COMPREPLY=( $(compgen -W "$values" -- "$word") )
}
complete -o default -F _${FUNCTION} ${NAME}`;
}

const FUNCTION = NAME.replaceAll('-', '_');

const wordsOf = (values: readonly string[]): string => (values === IDS ? '"$ids"' : `'${values.join(' ')}'`);

/** The same by zsh's own compatibility with bash. */
function zshScript(subcommands: readonly Completable[]): string {
  return `autoload -Uz compinit bashcompinit
(( \${+functions[compdef]} )) || compinit
bashcompinit
${bashScript(subcommands)}`;
}

function fishScript(subcommands: readonly Completable[]): string {
  const others = subcommands.map(({ name }) => name).filter((name) => name !== BY_DEFAULT);
  const lines = subcommands.flatMap(({ name, does, options }) => {
    const isGiven =
      name === BY_DEFAULT
        ? `not __fish_seen_subcommand_from ${others.join(' ')}`
        : `__fish_seen_subcommand_from ${name}`;
    return [
      `complete -c ${NAME} -n __fish_use_subcommand -f -a ${name} -d ${quoted(does)}`,
      ...(OF_IDS.includes(name) ? [`complete -c ${NAME} -n '${isGiven}' -f -a "$conformance_ids"`] : []),
      ...options.map((option) => `complete -c ${NAME} -n '${isGiven}' ${fishOption(option)}`),
    ];
  });
  return [`set -l conformance_ids '${ids()}'`, ...lines].join('\n');
}

function fishOption({ flag, description, takesValue, values }: Completed): string {
  const words = values === IDS ? '"$conformance_ids"' : quoted(values.join(' '));
  const value = values.length > 0 ? ` -x -a ${words}` : takesValue ? ' -r' : '';
  return `-l ${flag.slice(2)}${value} -d ${quoted(description.split(/[.;]| \(default/, 1)[0]!)}`;
}

/** In single quotes, within which fish knows `\\'` and `\\\\`. */
const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;
