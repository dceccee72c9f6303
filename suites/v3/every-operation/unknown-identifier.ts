/** Requests that name nothing: every operation that takes an identifier refuses them (reading 11). */
import { operation as operationById, operations } from '../../../contracts/operations.ts';
import { succeeded } from '../../../helpers/answer.ts';
import { amount } from '../../../helpers/cards/card-state.ts';
import { type Context, perOperation } from '../../../helpers/check.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import { expectKept } from '../../../helpers/engine/monitor.ts';
import { expectAdvisedStatus } from '../../../helpers/expect.ts';
import { fail, notApplicable, optional } from '../../../helpers/verdict.ts';
import { check, watch } from '../../declare.ts';
import * as Amounts from '../../shared/amounts.ts';
import * as Requests from '../../shared/requests.ts';
import * as UnknownNames from '../../shared/unknown-names.ts';
import * as Claims from '../cards/money/claims.ts';
import { TRANSITIONS } from '../cards/scenarios/transitions.ts';
import { tryChanging } from './requires-token.ts';

const ODD_IDENTIFIERS: readonly UnknownNames.Unknown[] = Forms.oddTextsOf('path').map(({ name, text }) => ({
  name: `an identifier ${name}`,
  identifier: text,
}));

/** Identifiers of things of another kind, a card's where a customer's is expected, and what else a thing is found by. */
async function ofAnotherKind(t: Context, operation: string): Promise<UnknownNames.Unknown[]> {
  const isOfUsers = operation.startsWith('users.');
  const found = await optional(isOfUsers ? t.shared(Requests.aCard) : Requests.aCustomer(t));
  const { users, cards } = t.fixtures;
  const others = isOfUsers
    ? { 'the identifier of a card': found, 'a v1Identifier': users?.v1Identifier }
    : {
        'the identifier of a customer': found,
        'an externalIdentifier': cards?.filters?.externalIdentifier,
        'a proxy': cards?.byProxy?.proxyNumber,
      };
  return Object.entries(others).flatMap(([name, identifier]) =>
    identifier === undefined ? [] : [{ name, identifier }],
  );
}

/**
 * Sends requests for things that don't exist, with identifiers of the form of existing ones, of no known form and, where it only reads, similar
 * to one; changing operations are tried with such where they would succeed.
 * @returns what the card gained, in cents, that transfers from an unknown card name as their target
 */
const unknownProbes = perOperation(
  (operation) => `${operation} for what does not exist`,
  async (t, operation) => {
    const nobodys = await Requests.invented(t, operation);
    // An active card as the target, so that nothing but the unknown source is wrong with a transfer.
    const leased = operation === 'cards.transfer' ? await optional(t.lease({ pool: 'active' })) : undefined;
    const targets = leased?.flat() ?? [];
    const input = (identifier: string) => Requests.named(t, operation, identifier, targets[0]?.identifier ?? nobodys);
    const call = (identifier: string, what: string) =>
      t.call(operation, input(identifier), { intent: 'unknown', wrong: { what } });
    const known = operationById(operation).risk === 'safe' ? await Requests.existing(t, operation) : undefined;
    const { done: likeOthers, gains } = await Amounts.gainsDuring(t, targets, async () => {
      const answer = await call(nobodys, 'an invented identifier');
      if (known === undefined) await call(Forms.ODD_IN_PATH, 'an identifier of odd characters');
      return answer;
    });
    if (known !== undefined) {
      const others = [...ODD_IDENTIFIERS, ...(await ofAnotherKind(t, operation))];
      await UnknownNames.tryAll(t, operation, known, { others });
    }
    return { likeOthers, gains };
  },
);

const identified = operations.filter((o) => o.interface === 'v3' && !o.listedOnly && o.pathParameters.length > 0);

for (const { id } of identified) {
  const refuses = UnknownNames.refusesUnknown(id, Claims.expectUnknownRefused);
  watch({ requirement: `${id}.unknown-identifier`, monitor: refuses, isSuspicion: false });
  check(`${id}.unknown-identifier`, 'of the form of others, and of none', async (t) => {
    const { gains } = await t.shared(unknownProbes(id));
    // Transitions have a check of their own: without-effect.ts.
    if (!(id in TRANSITIONS)) await tryChanging(t, id);
    await expectKept(t, refuses);
    const message = 'a transfer from an unknown card is refused, but its target gains the amount';
    if (gains.some((gain) => Amounts.isNamed(t, gain))) fail(message, 'nothing', gains.map(amount).join());
  });

  check(`${id}.unknown-identifier-404`, 'of the form of others', async (t) => {
    const { likeOthers } = await t.shared(unknownProbes(id));
    if (succeeded(likeOthers)) notApplicable('an invented identifier is accepted');
    expectAdvisedStatus(likeOthers, 404, 'a request for an invented identifier');
  });
}
