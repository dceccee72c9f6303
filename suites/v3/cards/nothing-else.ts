/** An operation on a card changes nothing that it is not about: other cards, its balance, its status (reading 10). */
import { operation as operationById } from '../../../contracts/operations.ts';
import { ACTIVE, LEAVING_ALONE } from '../../../contracts/v3/cards.ts';
import { isActive } from '../../../helpers/cards/card-state.ts';
import { type Context, perOperation, type Scenario } from '../../../helpers/check.ts';
import * as Retrial from '../../../helpers/engine/retrial.ts';
import { attempt, fail, inconclusive, values } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import * as Requests from '../../shared/requests.ts';
import * as Around from './scenarios/around.ts';
import { readings } from './scenarios/reading.ts';
import * as Steps from './scenarios/steps.ts';
import { TRANSITIONS } from './scenarios/transitions.ts';
import * as WalletPinReissue from './scenarios/wallet-pin-reissue.ts';

/** The operation alone, on a card that nothing else uses. */
const alone: (operation: string) => Scenario<Around.Change | undefined> = perOperation(
  (operation) => `${operation} alone`,
  async (t, operation) => {
    const isSafe = operationById(operation).risk === 'safe';
    // Those that only read take the same card, which one of them may change: they take turns.
    const earlier = isSafe && LEAVING_ALONE[LEAVING_ALONE.indexOf(operation) - 1];
    if (earlier) await attempt(() => t.known(alone(earlier)));
    const identifier = (isSafe && (await Around.anyListed(t))) || (await Around.anyPooled(t, isSafe));
    const before = await t.state(identifier);
    if (!isActive(before)) inconclusive('no other Active card is known');
    const readAgain = await Around.watching(t, operation, identifier, before);
    if (operation === 'cards.setPin') {
      const pins = Steps.somePins();
      await WalletPinReissue.tryWrong(t, operation, identifier, { pin: pins[0] });
      for (let times = 0; times < 2; times++) await Steps.setSomePin(t, identifier, pins);
    } else await t.call(operation, Requests.named(t, operation, identifier, identifier), { intent: 'refusable' });
    return readAgain();
  },
);

/** In what other checks do with the operation: a card that was listed as Active, and then looked at in every way, or that of the wallet. */
async function besides(t: Context, operation: string): Promise<Around.Change | undefined> {
  if (operationById(operation).risk !== 'safe') {
    const { elsewhere, lostByReissue } = await t.shared(WalletPinReissue.first);
    return (operation === 'cards.reissue' ? lostByReissue : elsewhere)();
  }
  const { afterwards, active } = await t.shared(readings);
  if (!active) inconclusive('no card is known that stays unchanged');
  if (afterwards().status === undefined) inconclusive('nothing else could be read');
  return Around.statusOf({ status: ACTIVE }, afterwards());
}

const transitions: Readonly<Record<string, Steps.TransitionSource>> = TRANSITIONS;
for (const operation of [...Object.keys(transitions), ...LEAVING_ALONE, 'cards.reissue']) {
  const source = transitions[operation];
  /** What it changes that it is not about, on another card. */
  const again = async (t: Context) => (source ? (await source.again(t)).elsewhere() : t.shared(alone(operation)));
  check(`${operation}.nothing-else`, 'other cards, and what is left alone of its own', async (t) => {
    const changed = source ? (await source.first(t)).elsewhere() : await besides(t, operation);
    if (!changed) return;
    const { inWords } = changed;
    const before = t.exchanges.length;
    // Others may use the cards, but not in the same way twice, nor all at once.
    const second = values([await attempt(() => again(t))]);
    const [another] = second;
    const message = `after ${operation} ${inWords}`;
    const how = second.length > 0 ? 'not when it was called for' : 'it cannot be tried with';
    if (!(another && another.to === changed.to) && !(await Around.isDoneToAll(t, changed)))
      inconclusive(`${message}, but ${how} another card`);
    if (another && changed.left && changed.gone === another.gone)
      inconclusive(`${message}, but as much each time: it may be a charge`);
    const retrial = another && Retrial.triedSince(t, before);
    fail(message, 'no change but that of the card', inWords, { retrial });
  });
}
