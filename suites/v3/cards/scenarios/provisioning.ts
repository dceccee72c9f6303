/** Provisioning of a card to a wallet, as its record, listings and look-ups show it. */
import { type Answer, member, succeeded } from '../../../../helpers/answer.ts';
import type { Call } from '../../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import type { Context } from '../../../../helpers/check.ts';
import { attempt, type Fact, optional } from '../../../../helpers/verdict.ts';
import * as LookUps from './look-ups.ts';
import * as Steps from './steps.ts';

const WALLET = 'isProvisionedToWallet';

/** isProvisionedToWallet of a record; undefined where there is no record, or it doesn't say. */
export const isProvisioned = (record: Answer | undefined): unknown => record && member(record, WALLET);

/** Marks a card as provisioned, in every way a target may require. */
export function mark(t: Context, { identifier, record }: LeasedCard): Promise<Answer> {
  const intent = isProvisioned(record) === true ? 'refusable' : 'valid';
  const ask = () => t.call('cards.markWalletProvisioned', { path: { identifier } }, { intent });
  return Steps.inAnyWay(t, ask, Steps.waysOf(t, identifier));
}

/** The record of a card once it shows that it was marked. */
export function read(t: Context, identifier: string, marked: Fact<Answer>): Promise<Answer | undefined> {
  const record = async () => (await t.state(identifier)).record;
  return t.shown(record, (now) => !succeeded(marked.value) || isProvisioned(now) !== false);
}

/** What a card that its record says is provisioned is shown to be wherever else that shows. */
export async function seenIn(t: Context, identifier: string, record: Fact<Answer | undefined>) {
  const shownAs: { how: string; is: Fact<unknown> }[] = [];
  const own = record.value;
  if (!own || isProvisioned(own) !== true) return shownAs;
  const call: Call = (operation, input) => t.call(operation, input, { intent: 'refusable' });
  const again = await optional(Steps.ask(t, 'cards.markWalletProvisioned', identifier));
  if (again) t.observe('cards.markWalletProvisioned', 'on a card that is provisioned', again);
  // Reading the balance refreshes the stored record and must not change anything else in it.
  await optional(t.balance(identifier));
  for (const { name, find } of [LookUps.LISTED, ...LookUps.LOOK_UPS]) {
    const is = await attempt(async () => {
      const look = await find(call, own, t);
      const shown = look && (async () => LookUps.shownIn(await look(), identifier, WALLET));
      return shown && t.shown(shown, (now) => now !== false);
    });
    shownAs.push({ how: `is ${name} as one that is not`, is });
  }
  return shownAs;
}
