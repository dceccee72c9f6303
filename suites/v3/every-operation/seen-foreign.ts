/** Cards outside the reach of the credentials, in traffic that others made: no operation returns or changes them (reading 13). */
import { operations } from '../../../contracts/operations.ts';
import { expectNothingGiven } from '../../../helpers/engine/disclosure.ts';
import { judged } from '../../../helpers/engine/monitor.ts';
import type { Monitor } from '../../../helpers/evidence/monitor.ts';
import { watch } from '../../declare.ts';
import { areOfOneClient } from '../../shared/clients.ts';
import { certainlySame } from '../../shared/identifiers.ts';

/** Cards of the fixtures file outside the reach of the credentials are refused, whoever asks for them. @param isPlain of one client alone, or of several */
const hidesForeign = (operation: string, isPlain: boolean): Monitor =>
  function* (history, { fixtures: { cards, users } }) {
    if (areOfOneClient(history) !== isPlain) return;
    const known = [users?.foreignCustomerIdentifier, ...(cards?.foreign ?? [])].filter((one) => one !== undefined);
    const isForeign = (one = '') => cards?.foreign?.some((card) => certainlySame(card, one)) ?? false;
    for (const answer of history)
      if (
        answer.operation.id === operation &&
        answer.intent !== 'unauthorised' &&
        isForeign(answer.input.path?.identifier)
      )
        yield judged([answer], () => {
          expectNothingGiven(answer, 'a request for a foreign card', { history, known });
        });
  };

// Whether a transfer was refused is told by the money.
for (const { id, listedOnly, pathParameters } of operations)
  if (id.startsWith('cards.') && id !== 'cards.transfer' && !listedOnly && pathParameters.length > 0)
    for (const isPlain of [true, false])
      watch({ requirement: `${id}.foreign`, monitor: hidesForeign(id, isPlain), isSuspicion: !isPlain });
