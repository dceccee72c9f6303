/** Requests that are refused have no effect: with bad tokens, and with identifiers that are nearly those of cards. */
import { operation as operationById } from '../../../contracts/operations.ts';
import { succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import * as Scope from '../../../helpers/configuration/scope.ts';
import type { Configuration } from '../../../helpers/configuration/types.ts';
import { expectKept } from '../../../helpers/engine/monitor.ts';
import * as Retrial from '../../../helpers/engine/retrial.ts';
import { fail } from '../../../helpers/verdict.ts';
import { check } from '../../declare.ts';
import * as UnknownNames from '../../shared/unknown-names.ts';
import * as Contradictions from '../cards/money/contradictions.ts';
import * as RefusedTransfers from '../cards/refused-transfers.ts';
import { isProvisioned } from '../cards/scenarios/provisioning.ts';
import { effectOfRefused } from '../cards/scenarios/transition.ts';
import { TRANSITIONS } from '../cards/scenarios/transitions.ts';
import { gifts } from '../cards/scenarios/wallet-pin-reissue.ts';

const paid = RefusedTransfers.betweenTwo.kept.judges(
  'cards.transfer.requires-token',
  [RefusedTransfers.BAD_TOKENS],
  Contradictions.movesAnything,
);

async function provisionedByRefused(t: Context): Promise<string | undefined> {
  const isDone = async (played: typeof gifts.first) => {
    const { before, untouched } = await played(t);
    return before !== true && isProvisioned(untouched.get().record) === true;
  };
  if (!(await isDone(gifts.first))) return undefined;
  const effect = 'the card is provisioned';
  await Retrial.shownByAnother(t, effect, () => isDone(gifts.again));
  return effect;
}

/** Declares that what is refused for its token has no effect. @param effectOf what it has done, in words */
function hasNoEffect(id: string, effectOf: (t: Context) => Promise<string | undefined>): void {
  const applies = ({ run }: Configuration) => Scope.allows(run.risk, operationById(id).risk);
  check(`${id}.requires-token`, 'what is refused has no effect', { applies }, async (t) => {
    const effect = await effectOf(t);
    if (effect) fail(`requests with bad tokens are refused but have an effect: ${effect}`);
  });
}

hasNoEffect('cards.transfer', async (t) => (await paid(t))?.message);
gifts.reads('cards.markWalletProvisioned.requires-token', 'bad tokens: cards.markWalletProvisioned', 'untouched');
hasNoEffect('cards.markWalletProvisioned', provisionedByRefused);

for (const [id, transition] of Object.entries(TRANSITIONS)) {
  transition.reads(`${id}.requires-token`, 'bad tokens', 'untouched');
  hasNoEffect(id, (t) => effectOfRefused(t, transition));

  const nameAlmost = transition.reads(`${id}.unknown-identifier`, 'misnamed', 'untouched');
  check(`${id}.unknown-identifier`, 'nearly that of a card on which it succeeds', async (t) => {
    await nameAlmost(t);
    const own = t.run.answers.filter(({ exchange }) => t.exchanges.includes(exchange));
    const isGuarded = own.every((answer) => answer.intent !== 'unauthorised' || !succeeded(answer));
    await expectKept(t, UnknownNames.refusesUnknown(id));
    const effect = isGuarded && (await effectOfRefused(t, transition));
    if (effect) fail(`refused requests have an effect: ${effect}`);
  });
}
