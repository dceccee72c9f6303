/** A broken implementation: the sandbox with one documented rule broken. */
import type { SandboxOptions } from '../../sandbox/index.ts';

export interface Fault {
  /** What is broken, in a few words; unique. */
  name: string;
  /** Requirements that fail because of it: all of them. Others may fail as well. */
  condemns: readonly string[];
  sandbox: SandboxOptions;
}
