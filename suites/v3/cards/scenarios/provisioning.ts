/** Provisioning of a card to a wallet, as its record, listings and look-ups show it. */
import { type Answer, entries, member, succeeded } from '../../../../helpers/answer.ts';
import type { Call } from '../../../../helpers/cards/card-state.ts';
import type { LeasedCard } from '../../../../helpers/cards/pools.ts';
import type { Context } from '../../../../helpers/check.ts';
import { attempt } from '../../../../helpers/verdict.ts';
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

/** Marks a card as provisioned, in every way a target may require, and reads it wherever that shows. */
export async function provision(t: Context, { identifier, record: leased }: LeasedCard) {
  const call: Call = (operation, input) => t.call(operation, input, { intent: 'refusable' });
  const path = { identifier };
  const intent = isProvisioned(leased) === true ? 'refusable' : 'valid';
  const ask = () => t.call('cards.markWalletProvisioned', { path }, { intent });
  const answer = await attempt(() => Steps.inAnyWay(t, ask, Steps.waysOf(t, identifier)));
  const read = async () => (await t.state(identifier)).record;
  const isRight = (now: Answer | undefined) => !succeeded(answer.value) || isProvisioned(now) !== false;
  const record = await attempt(() => t.shown(read, isRight));
  const seen = [{ how: 'says that it is not', is: await attempt(() => isProvisioned(record.get())) }];
  if (t.needs('cards.markWalletProvisioned.provisioned') && isProvisioned(record.value) === true) {
    await attempt(async () => {
      const again = await call('cards.markWalletProvisioned', { path });
      t.observe('cards.markWalletProvisioned', 'on a card that is provisioned', again);
    });
    // Reading the balance refreshes the stored record and must not change anything else in it.
    await attempt(() => t.balance(identifier));
    for (const { how, find } of WAYS) {
      const is = await attempt(async () => {
        const look = await find(call, record.get()!, t);
        const shown = look && (async () => shownIn(await look(), identifier));
        return shown && t.shown(shown, (now) => now !== false);
      });
      seen.push({ how, is });
    }
  }
  return { answer, record, seen };
}
