/** What exchanges show of cards that were marked as provisioned to a wallet (reading 26). */
import { numbers } from '../../../contracts/numbers.ts';
import { type Answer, entries, member, succeeded } from '../../../helpers/answer.ts';
import { pooledCards } from '../../../helpers/cards/discovery.ts';
import { type Confirmed, contradiction, kept, type Monitor, type Shown } from '../../../helpers/evidence/monitor.ts';
import { isProvisioned } from './scenarios/provisioning.ts';

/** What may end that a card is provisioned. */
const ENDS = ['cards.reissue', 'cards.close', 'cards.markLost', 'cards.suspend'];

/** What an answer shows of cards. */
type Showing = (answer: Answer) => { card: unknown; is: unknown }[];

/** What the record of a card shows that was asked for by its identifier. */
export const shownByRecord: Showing = (answer) =>
  answer.operation.id === 'cards.get' ? [{ card: answer.input.path?.identifier, is: isProvisioned(answer) }] : [];

/** What records and listings show, however the cards were found. */
export const shownAnywhere: Showing = (answer) => {
  const { id } = answer.operation;
  if (id === 'cards.get') return [{ card: member(answer, 'identifier'), is: isProvisioned(answer) }];
  if (!['cards.list', 'cards.listRelated'].includes(id)) return [];
  return entries(answer).map((entry) => ({ card: entry.identifier, is: entry.isProvisionedToWallet }));
};

/** A card that was provisioned, and whose record said so, says so later. */
export const staysProvisioned = (shownBy: Showing): Monitor =>
  function* (history) {
    const accepted = new Set<unknown>();
    const seen = new Map<unknown, Answer>();
    for (const answer of history.filter(succeeded)) {
      const { operation, input, intent } = answer;
      const changed = input.path?.identifier;
      if (operation.id === 'cards.markWalletProvisioned' && intent !== 'unauthorised') accepted.add(changed);
      if (ENDS.includes(operation.id)) seen.delete(changed);
      for (const { card, is } of shownBy(answer)) {
        const before = seen.get(card);
        if (is === true && accepted.has(card) && operation.id === 'cards.get') seen.set(card, answer);
        if (before && is === true) yield kept([before, answer]);
        const message = 'a card that is provisioned says later that it is not';
        if (before && is === false)
          yield contradiction([before, answer], message, 'true', 'false', '/isProvisionedToWallet');
      }
    }
  };

/** Whether it shows as often as no lagging replica explains, a settle time apart (reading 49), of a card that nobody else uses, as the fixtures file promises. */
export const isStaying: Confirmed = (found, all, { fixtures, settleMs }) => {
  const cardOf = ({ by: [before] }: Shown) => String(member(before, 'identifier'));
  if (!pooledCards(fixtures).has(cardOf(found))) return false;
  let since = found.by[0].answeredAt + settleMs;
  let times = 0;
  for (const { sentAt } of all.filter((one) => cardOf(one) === cardOf(found)).map(({ by }) => by.at(-1)!))
    if (sentAt >= since) {
      since = sentAt + settleMs;
      times++;
    }
  return times >= numbers.staying;
};
