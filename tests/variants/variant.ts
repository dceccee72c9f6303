/** A sound implementation that uses another freedom of the documents than the sandbox does by default. */
import type { Configuration } from '../../helpers/configuration/types.ts';
import type { UnservedOptions } from '../../sandbox/unserved.ts';

export interface Variant {
  /** Which freedom, in a few words; unique. */
  name: string;
  /** What the documents leave open: section and row, in own words. */
  basis?: string;
  sandbox: UnservedOptions;
  /** Judged over HTTP: it is about how answers are sent, too. */
  served?: true;
  /** Not judged together with other freedoms: where sessions end by themselves, too, a run can hardly tell who ended one. */
  standsAlone?: boolean;
  /** Settings of the run that differ; it may have these with other freedoms, too. */
  run?: Partial<Configuration['run']>;
  /** What the run is told otherwise: fewer fixtures, one interface alone. */
  configure?: (configuration: Configuration) => void;
}

/** Tells a run what a variant wants it to be told. */
export function tell({ run, configure }: Pick<Variant, 'run' | 'configure'>, configuration: Configuration): void {
  Object.assign(configuration.run, run);
  configure?.(configuration);
}

/** The variant, by a run that changes nothing. */
export const safely = (variant: Variant): Variant => ({
  ...variant,
  configure: (configuration) => {
    variant.configure?.(configuration);
    configuration.run.risk = 'safe';
  },
});

/** The variant, by a run that tries all forms at once: which of them another run tries depends on its seed. */
export const thoroughly = (variant: Variant): Variant => ({ ...variant, run: { ...variant.run, thorough: true } });

/** The variant, by a run that waits so many milliseconds until an effect shows. */
export const settling = (settleMs: number, variant: Variant): Variant => ({
  ...variant,
  run: { ...variant.run, settleMs },
});
