/** Every sound implementation that the suite is proved by. */
import type { Variant } from './variant.ts';

export const variants: readonly Variant[] = [{ name: 'as the sandbox is', sandbox: {} }];
