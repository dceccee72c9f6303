/** Examines users and cards: whether they are reachable and accept the token. */
import { type Answer, bodyOf, isObject, succeeded } from '../answer.ts';
import { operationInScope } from '../configuration/scope.ts';
import { SHOWING } from '../runner/reach.ts';
import { TransportError } from '../target/http/types.ts';
import { connectionFault, excerpt, gatewayAdvice, isHtml, isOfInterface } from './answers.ts';
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
      if (succeeded(answer) && isObject(bodyOf(answer))) {
        examined.remarks.push(good(`${LISTED[id]} can be listed`));
        examined.readable.push(id);
      } else {
        const { remark, remedy } = await explain(probe, answer, token);
        examined.remarks.push(remark);
        Object.assign(examined.remedy, remedy);
      }
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      examined.remarks.push(await explainFailure(error, probe.configuration.target.baseUrl!, 'TARGET_BASE_URL'));
      break;
    }
  }
  return examined;
}

async function explain(probe: Probe, answer: Answer, token: string): Promise<{ remark: Remark; remedy?: Remedy }> {
  const { target } = probe.configuration;
  const { operation, status } = answer;
  const finding = `${operation.id} answers ${excerpt(probe, answer)}`;
  const way = connectionFault(probe, answer, 'TARGET_BASE_URL');
  if (way) return { remark: way };
  if (status === 401 || status === 403) {
    if (!isOfInterface(answer)) return { remark: fault(finding, gatewayAdvice(probe)) };
    return {
      remark: fault(
        finding,
        target.accessToken === undefined
          ? 'the interface itself refuses the token: check TARGET_SCOPE, which determines what the token is for, and what the client may do'
          : 'the interface itself refuses TARGET_ACCESS_TOKEN: it may have expired (after 60 minutes), or be for something else',
      ),
    };
  }
  if (status === 404 || status === 405 || isHtml(answer) || succeeded(answer))
    return wrongBase(probe, answer, token, finding);
  return { remark: fault(finding, 'a run reports that as a failure') };
}

/** Tries the address without an ending that every path already begins with. */
async function wrongBase(probe: Probe, answer: Answer, token: string, finding: string) {
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
    return tried !== undefined && succeeded(tried) && isObject(bodyOf(tried));
  });
  if (found !== undefined) {
    const remedy = { TARGET_BASE_URL: found };
    return {
      remark: fault(finding, `the address ends with what the paths begin with; set ${inWords(remedy)}`),
      remedy,
    };
  }
  return {
    remark: fault(
      finding,
      'check the path of TARGET_BASE_URL: customers belong at {base_url}/users/customers, cards at {base_url}/cards/cards',
    ),
  };
}
