/** A broken implementation: the sandbox with one documented rule broken. */
import type { Configuration } from '../../helpers/configuration/types.ts';
import type { UnservedOptions } from '../../sandbox/unserved.ts';

export interface Fault {
  /** What is broken, in a few words; unique. */
  name: string;
  /** Requirements that fail because of it: all of them. Others may fail as well. */
  condemns: readonly string[];
  sandbox: UnservedOptions;
  /** What the run is told otherwise, e.g. a time to settle. */
  configure?: (configuration: Configuration) => void;
  /** Requirements that are run beside those of the condemned operations, where these alone do not show it. */
  also?: readonly string[];
  /** Its answers take their time. */
  isSlow?: true;
}

/** Orders faults for their proofs: those whose proof mostly waits, for answers or for effects, before those whose proof works. */
export const waitingFirst = (one: Fault, other: Fault): number => Number(waits(other)) - Number(waits(one));

const waits = ({ configure, isSlow }: Fault): boolean => configure !== undefined || isSlow === true;
