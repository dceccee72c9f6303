/** The vocabulary of users and cards interfaces with business rules of which the document says nothing. */
import type { Rules, SandboxRequest, World } from '../../sandbox/index.ts';
import type { Variant } from './variant.ts';

export type Refuses = NonNullable<Rules['alsoRefuses']>;

/** A rule that remembers, once for each sandbox. */
export const remembering = <Memory>(
  begin: () => Memory,
  refuses: (memory: Memory, ...given: Parameters<Refuses>) => ReturnType<Refuses>,
): Refuses => {
  const memories = new WeakMap<World, Memory>();
  return (request, world) => {
    const memory = memories.get(world) ?? begin();
    memories.set(world, memory);
    return refuses(memory, request, world);
  };
};

export const REFUSAL = { kind: 'range', name: 'amount' } as const;
export const cardOf = ({ params }: SandboxRequest, world: World) => world.cardById.get(params.identifier ?? '');

export const transferOf = ({ operation, body }: SandboxRequest) =>
  operation === 'cards.transfer' ? ((body ?? {}) as Record<string, unknown>) : undefined;

export const amountOf = (request: SandboxRequest): number | undefined => {
  const amount = transferOf(request)?.amount;
  return typeof amount === 'number' ? amount : undefined;
};

export const variant = (name: string, basis: string, rules: Partial<Rules>, settleMs?: number): Variant => ({
  name,
  basis,
  sandbox: { rules },
  ...(settleMs !== undefined && { run: { settleMs } }),
});

export const BUSINESS = 'business rules: not shown';
