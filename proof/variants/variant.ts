/** Variants: sound implementations that use a freedom of the documents differently from the default sandbox. */
import type { Configuration } from '../../helpers/configuration/types.ts';
import type { AnswerFilter } from '../../sandbox/exchange.ts';
import type { Rules } from '../../sandbox/rules.ts';
import type { UnservedOptions } from '../../sandbox/unserved.ts';

export interface Variant {
  /** The freedom in a few words; unique. */
  name: string;
  /** The passage that leaves it open: section and row of the document, paraphrased. */
  basis?: string;
  sandbox: UnservedOptions;
  /** Judged over HTTP, because it concerns how answers are sent. */
  served?: true;
  /** Judged alone: if other freedoms ended sessions too, a run could hardly tell which one did. */
  standsAlone?: boolean;
  /** Settings of the run to override; they don't prevent judging it together with other freedoms. */
  run?: Partial<Configuration['run']>;
  /** Changes the rest of the configuration, such as fewer fixtures or one interface alone. */
  configure?: (configuration: Configuration) => void;
}

type More = Omit<Partial<Variant>, 'name' | 'sandbox'>;

/** A variant of which no passage is named. */
export const implemented = (name: string, sandbox: UnservedOptions, more: More = {}): Variant => ({
  name,
  sandbox,
  ...more,
});

/** A variant with the passage that leaves it open. @param basis that passage */
export const variant = (name: string, basis: string, sandbox: UnservedOptions, more: More = {}): Variant =>
  implemented(name, sandbox, { basis, ...more });

/** A variant with other rules. */
export const ruled = (name: string, rules: Partial<Rules>, more?: More): Variant => implemented(name, { rules }, more);

/** A variant whose answers are changed. */
export const answered = (name: string, filter: AnswerFilter, more?: More): Variant =>
  implemented(name, { middleware: [filter] }, more);

/** The sandbox as it is, by a run with another configuration. */
export const configured = (name: string, configure: Variant['configure']): Variant =>
  implemented(name, {}, { configure });

type Settings = Omit<Configuration['fixtures'], '$schema'> & {
  [Part in 'run' | 'target']?: Partial<Configuration[Part]>;
};

/** Changes these settings, and these entries of the fixtures file. */
export const setting =
  ({ run, target, ...fixtures }: Settings) =>
  (configuration: Configuration): void => {
    Object.assign(configuration.run, run);
    Object.assign(configuration.target, target);
    for (const [part, more] of Object.entries(fixtures))
      Object.assign(configuration.fixtures, { [part]: { ...configuration.fixtures[part as 'portal'], ...more } });
  };

/** Applies a variant's settings to the configuration of a run. */
export function applyVariant(
  { run, configure }: Pick<Variant, 'run' | 'configure'>,
  configuration: Configuration,
): void {
  Object.assign(configuration.run, run);
  if (run?.settleMs !== undefined) configuration.run.isSettleGiven = true;
  configure?.(configuration);
}

/** The variant with risk `safe`: the run changes nothing. */
export const safely = (variant: Variant): Variant => ({
  ...variant,
  configure: (configuration) => {
    variant.configure?.(configuration);
    configuration.run.risk = 'safe';
  },
});

/** The variant with `--thorough`: the run tries all forms instead of those chosen by the seed. */
export const thoroughly = (variant: Variant): Variant => ({ ...variant, run: { ...variant.run, thorough: true } });
