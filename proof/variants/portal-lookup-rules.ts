/** Sound portals with rules of their own for hierarchies, program lists and places. */
import type { SandboxOptions, World } from '../../sandbox/index.ts';
import { type Body, bodyIn, memory, replacing } from '../changed-sandbox.ts';
import { ORDER, ownRule, portalRule } from './portal-rule.ts';
import type { Variant } from './variant.ts';

const HIERARCHY = 'portal.getCustomerHierarchy';
const PROGRAM_LIST = 'portal.getCustomerProgramList';

/** Programs are offered until this many orders of them were made. */
function soldOut(most: number): SandboxOptions {
  const madeIn = memory(() => new Map<unknown, number>());
  const isSoldOut = (world: World, custProgId: unknown) => (madeIn(world).get(custProgId) ?? 0) >= most;
  return {
    rules: ownRule((request, world) => request.operation === ORDER && isSoldOut(world, bodyIn(request).custProgId)),
    middleware: [
      (answer, { operation, request, world }) => {
        if (answer.status !== 200) return undefined;
        const { custProgId } = bodyIn(request);
        if (operation === ORDER) madeIn(world).set(custProgId, (madeIn(world).get(custProgId) ?? 0) + 1);
        if (operation !== PROGRAM_LIST) return undefined;
        const { items } = answer.body as { items: Body[] };
        return { ...answer, body: { items: items.filter(({ rowId }) => !isSoldOut(world, rowId)) } };
      },
    ],
  };
}

export const lookupRuleVariants: readonly Variant[] = [
  portalRule(
    'a parent out of reach is not shown',
    'getCustomerHierarchy: customers under the given id plus its parent; reach goes before',
    {
      rules: {
        showsCustomer: (operation, { reachable }, _, byDefault) => byDefault && (operation !== HIERARCHY || reachable),
      },
    },
  ),
  portalRule(
    'no program is both selected and not, and an empty list is answered with 404',
    'getCustomerProgramList: true selects auto-created, or branded, programs; 404 failed to get list',
    {
      rules: {
        showsProgram: (program, { customerId, showAutoCreated, showBranded }) =>
          program.customerId === customerId &&
          ((showAutoCreated && program.autoCreated) ||
            (showBranded && program.branded) ||
            (showAutoCreated && showBranded)),
      },
      ...replacing(
        PROGRAM_LIST,
        ({ body }) =>
          (body as { items: unknown[] }).items.length === 0 && { status: 404, body: { message: 'failed to get list' } },
      ),
    },
  ),
  portalRule(
    'a program of which two orders were made is sold out, and listed no more',
    'CustomerProgram: values of status are not shown',
    soldOut(2),
  ),
];
