/** Examines users and cards: whether they are reachable and accept the token. */
import type { Answer } from '../helpers/answer.ts';
import { type Cause, causeOf } from '../helpers/client/diagnosis.ts';
import { TransportError } from '../helpers/client/http/types.ts';
import { operationInScope } from '../helpers/configuration/scope.ts';
import { SHOWING } from '../helpers/runner/reach.ts';
import { fault, good, type Remark, type Remedy } from './diagnosis.ts';
import { attempted, firstWorking } from './fitting.ts';
import { explainFailure } from './network.ts';
import type { Probe } from './probe.ts';
import { inWords } from './token.ts';

const LISTED = { 'users.list': 'the customers', 'cards.list': 'the cards' } as const;

/** The result of listing users and cards. */
export interface BaseExamination {
  remarks: Remark[];
  remedy: Remedy;
  /** Listings that can be read. */
  readable: string[];
}

/** Lists customers and cards with the token. Problems become remarks and are not thrown. */
export async function examineUsersAndCards(probe: Probe, token: string): Promise<BaseExamination> {
  const examined: BaseExamination = { remarks: [], remedy: {}, readable: [] };
  for (const id of SHOWING.token.filter((id) => operationInScope(probe.configuration, id))) {
    try {
      const answer = await probe.call(id, { query: { max: 1 } }, { token });
      const cause = causeOf(probe, answer);
      if (!cause) {
        examined.remarks.push(good(`${LISTED[id]} can be listed`));
        examined.readable.push(id);
      } else if (cause.isOfAddress) {
        const { remark, remedy } = await wrongBase(probe, answer, token, cause);
        examined.remarks.push(remark);
        Object.assign(examined.remedy, remedy);
      } else examined.remarks.push(fault(cause.text, cause.advice));
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      examined.remarks.push(await explainFailure(error, probe.configuration.target.baseUrl!, 'TARGET_BASE_URL'));
      break;
    }
  }
  return examined;
}

/** Tries the address without an ending that every path already begins with. */
async function wrongBase(probe: Probe, answer: Answer, token: string, cause: Cause) {
  const { target } = probe.configuration;
  const address = target.baseUrl!;
  const candidates = ['/cards/cards', '/users/customers', '/cards', '/users']
    .filter((ending) => address.endsWith(ending))
    .map((ending) => address.slice(0, -ending.length));
  const found = await firstWorking(candidates, async (baseUrl, control) => {
    if (control) return false;
    const tried = await attempted(
      probe.call(answer.operation.id, { query: { max: 1 } }, { token }, { ...target, baseUrl }),
    );
    return tried !== undefined && causeOf(probe, tried) === undefined;
  });
  if (found !== undefined) {
    const remedy = { TARGET_BASE_URL: found };
    return {
      remark: fault(cause.text, `the address ends with what the paths begin with; set ${inWords(remedy)}`),
      remedy,
    };
  }
  return { remark: fault(cause.text, cause.advice) };
}
