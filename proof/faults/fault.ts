/** Faults: broken implementations, each the sandbox with one documented rule broken. */
import type { Configuration } from '../../helpers/configuration/types.ts';
import type { UnservedOptions } from '../../sandbox/unserved.ts';

export interface Fault {
  /** The defect in a few words; unique. */
  name: string;
  /** Ids of requirements, each of which must fail. Others may fail as well. */
  condemns: readonly string[];
  sandbox: UnservedOptions;
  /** Changes the configuration of the run, such as its settle time. */
  configure?: (configuration: Configuration) => void;
  /** Further requirements to run, where those in `condemns` and their operations do not reveal the fault. */
  also?: readonly string[];
  /** Its answers are delayed. */
  isSlow?: true;
}

/** Sorts faults whose proofs mostly wait, for answers or effects, before the others. */
export const waitingFirst = (one: Fault, other: Fault): number => Number(waits(other)) - Number(waits(one));

const waits = ({ configure, isSlow }: Fault): boolean => configure !== undefined || isSlow === true;
