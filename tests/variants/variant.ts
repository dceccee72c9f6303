/** A sound implementation that uses another freedom of the documents than the sandbox does by default. */
import type { SandboxOptions } from '../../sandbox/index.ts';

export interface Variant {
  /** Which freedom, in a few words; unique. */
  name: string;
  sandbox: SandboxOptions;
}
