/** Several freedoms in one sound implementation. */
import type { Rules } from '../../sandbox/index.ts';
import { packed } from '../selfcheck/packs.ts';
import type { Variant } from './variant.ts';

/** Of so many variants a pack is made. */
const PACKED = 3;
/** Rules that refuse something more, or do something besides: those of all hold. */
const ADDED = ['alsoRefuses', 'meanwhile'];

/** All variants, each once: those that one implementation can be stand together, {@link PACKED} or so. */
export function packsOf(variants: readonly Variant[]): Variant[][] {
  const { packable = [], alone = [] } = Object.groupBy(variants, (one) => (isOfRules(one) ? 'packable' : 'alone'));
  return [...alone.map((one) => [one]), ...packed(packable, PACKED, agree)];
}

/**
 * Whether a variant may stand with others, and has neither other data nor other fixtures. Where a few requirements alone are judged, others would be
 * judged by no more. How transfers are refused is left alone, too: what another
 * variant refuses before it looks for the card would be answered so, and reading 11 wants no 200 where a card is unknown.
 */
function isOfRules(variant: Variant): boolean {
  const { rules = {}, middleware = [], ...data } = variant.sandbox;
  const has = Object.keys(rules).length + middleware.length > 0;
  return (
    has &&
    !variant.standsAlone &&
    !variant.served &&
    variant.run?.only === undefined &&
    variant.configure === undefined &&
    Object.keys(data).length === 0 &&
    !('transferRefusalStyle' in rules)
  );
}

/** Whether no rule or setting of one stands against one of the other, and one alone changes answers: what was compressed no other can change. */
const agree = (one: Variant, other: Variant) =>
  rulesOf(one).every((rule) => ADDED.includes(rule) || !rulesOf(other).includes(rule)) &&
  settingsOf(one).every(([name, value]) => settingsOf(other).every((set) => set[0] !== name || set[1] === value)) &&
  !(one.sandbox.middleware && other.sandbox.middleware);

const settingsOf = ({ run = {} }: Variant) => Object.entries(run);
const rulesOf = ({ sandbox: { rules = {} } }: Variant) => Object.keys(rules);

/** The implementation that has the freedoms of all of a pack. */
export function together(variants: readonly Variant[]): Variant {
  if (variants.length === 1) return variants[0]!;
  const rules = variants.map(({ sandbox }) => sandbox.rules ?? {});
  const alsoRefuses: Rules['alsoRefuses'] = (request, world) => {
    for (const one of rules) {
      const refusal = one.alsoRefuses?.(request, world);
      if (refusal) return refusal;
    }
    return undefined;
  };
  const meanwhile: Rules['meanwhile'] = (world, request) => {
    for (const one of rules) one.meanwhile?.(world, request);
  };
  return {
    name: variants.map(({ name }) => name).join('; and '),
    sandbox: {
      rules: { ...Object.assign({}, ...rules), alsoRefuses, meanwhile },
      middleware: variants.flatMap(({ sandbox }) => sandbox.middleware ?? []),
    },
    run: Object.assign({}, ...variants.map(({ run }) => run)),
  };
}
