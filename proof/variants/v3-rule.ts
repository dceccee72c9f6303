/** The vocabulary of users and cards interfaces with business rules of which the document says nothing. */
import type { SandboxRequest, World } from '../../sandbox/index.ts';
import type { Rules } from '../../sandbox/rules.ts';
import { bodyIn, memory } from '../changed-sandbox.ts';
import { type Variant, variant } from './variant.ts';

export type Refuses = Rules['alsoRefuses'];

/** A rule that remembers, once for each sandbox. */
export const remembering = <Memory>(
  begin: () => Memory,
  refuses: (memory: Memory, ...given: Parameters<Refuses>) => ReturnType<Refuses>,
): Refuses => {
  const memoryOf = memory(begin);
  return (request, world) => refuses(memoryOf(world), request, world);
};

/** How a card is refused that a rule of the business stands against. */
export const REFUSED_CARD = { kind: 'state', name: 'card' } as const;
export const cardOf = ({ params }: SandboxRequest, world: World) => world.cardById.get(params.identifier ?? '');

export const transferOf = (request: SandboxRequest) =>
  request.operation === 'cards.transfer' ? bodyIn(request) : undefined;

export const amountOf = (request: SandboxRequest): number | undefined => {
  const amount = transferOf(request)?.amount;
  return typeof amount === 'number' ? amount : undefined;
};

/** A rule that takes some amounts of transfers alone. */
export const takesAmounts =
  (isTaken: (amount: number) => boolean): Refuses =>
  (request) => {
    const amount = amountOf(request);
    return amount === undefined || isTaken(amount) ? undefined : { kind: 'range', name: 'amount' };
  };

export const rule = (name: string, basis: string, rules: Partial<Rules>, settleMs?: number): Variant =>
  variant(name, basis, { rules }, settleMs === undefined ? {} : { run: { settleMs } });

export const BUSINESS = 'business rules: not shown';
export const BY_ITSELF = 'a balance may change when nothing is asked for';
