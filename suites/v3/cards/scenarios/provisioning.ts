/** Provisioning of a card to a wallet, as its record, listings and look-ups show it. */
import { type Answer, entries, member, succeeded } from '../../../../helpers/answer.ts';
import type { Call } from '../../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import type { Context } from '../../../../helpers/check.ts';
import { attempt, type Fact } from '../../../../helpers/verdict.ts';
import { identifiersOf } from '../../../shared/identifiers.ts';
import * as Steps from './steps.ts';

/** isProvisionedToWallet of a record; undefined where there is no record, or it doesn't say. */
export const isProvisioned = (record: Answer | undefined): unknown => record && member(record, 'isProvisionedToWallet');

/** isProvisionedToWallet of a card in its record, or in a listing; undefined where it is not there. */
const shownIn = (answer: Answer, identifier: string): unknown => {
  const listed = entries(answer).find((card) => card.identifier === identifier);
  return listed ? listed.isProvisionedToWallet : isProvisioned(answer);
};

/** Ways to find a card, in words that follow "a card that is provisioned": each gives a request that may show it. */
const WAYS: readonly {
  how: string;
  find: (call: Call, record: Answer, t: Context) => Promise<(() => Promise<Answer>) | undefined>;
}[] = [
  {
    how: 'is listed as one that is not',
    async find(call, record) {
      const customerIdentifier = member(record, 'customerIdentifier');
      const query = { max: 50, ...(typeof customerIdentifier === 'string' && { customerIdentifier }) };
      return () => call('cards.list', { query });
    },
  },
  {
    how: 'is found by its temporary token as one that is not',
    async find(call, { input: { path } }) {
      const identifier = member(await call('cards.createToken', { path: path! }), 'token');
      if (typeof identifier !== 'string' || identifier === '') return undefined;
      return () => call('cards.get', { path: { identifier }, query: { byToken: true } });
    },
  },
  {
    // Which program it is of, and whether it is digital, is not shown.
    how: 'is found by its proxy as one that is not',
    async find(call, record, t) {
      const identifier = member(record, 'proxyNumber');
      const { byProxy, filters } = t.fixtures.cards ?? {};
      const programs = [byProxy?.programIdentifier, filters?.programIdentifier].filter((one) => one !== undefined);
      if (typeof identifier !== 'string' || identifier === '' || programs.length === 0) return undefined;
      for (const programIdentifier of t.rotated('the program of a provisioned card', [...new Set(programs)]))
        for (const isDigital of [false, true]) {
          const query = { byProxy: true, programIdentifier, isDigital };
          const lookUp = () => call('cards.get', { path: { identifier }, query });
          const found = await lookUp();
          if (succeeded(found) && member(found, 'identifier') === member(record, 'identifier')) return lookUp;
        }
      return undefined;
    },
  },
  {
    how: 'is listed among related cards as one that is not',
    async find(call, { input: { path } }) {
      const relatedTo = (identifier: string) => call('cards.listRelated', { path: { identifier } });
      const related = identifiersOf(entries(await relatedTo(path!.identifier!)));
      const other = related.find((one) => one !== path!.identifier) ?? related[0];
      return other === undefined ? undefined : () => relatedTo(other);
    },
  },
];

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
  await attempt(async () => {
    const again = await Steps.ask(t, 'cards.markWalletProvisioned', identifier);
    t.observe('cards.markWalletProvisioned', 'on a card that is provisioned', again);
  });
  // Reading the balance refreshes the stored record and must not change anything else in it.
  await attempt(() => t.balance(identifier));
  for (const { how, find } of WAYS) {
    const is = await attempt(async () => {
      const look = await find(call, own, t);
      const shown = look && (async () => shownIn(await look(), identifier));
      return shown && t.shown(shown, (now) => now !== false);
    });
    shownAs.push({ how, is });
  }
  return shownAs;
}
