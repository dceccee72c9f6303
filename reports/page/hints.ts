/** Suggests the likely cause of a failure and the next step, from its exchanges. Hints, not verdicts. */
import type { Exchange, RequirementResult } from '../../contracts/record.ts';
import { callAlone } from '../call-of.ts';
import { groupOf } from './groups.ts';

/** A likely cause and the next step, one sentence each. */
export interface Hint {
  cause: string;
  next: string;
}

/** The data that hints are based on. */
export interface Symptoms {
  requirement: RequirementResult;
  /** The exchanges of the failed checks. */
  exchanges: readonly Exchange[];
  /** Offset of the target's clock from the local one, in seconds. */
  clockAhead: number | undefined;
}

/** Clock offset, in seconds, from which it is mentioned. */
const CLOCK_DIFFERENCE = 30;

const HINTS: readonly { applies: (symptoms: Symptoms) => boolean; hint: (symptoms: Symptoms) => Hint }[] = [
  {
    applies: ({ exchanges }) => exchanges.some(isHtml),
    hint: () => ({
      cause: 'HTML from a proxy or gateway: the answer probably does not come from the interface itself.',
      next: `Open the address in the evidence. Compare TARGET_AUTH_URL, TARGET_BASE_URL and TARGET_PORTAL_URL with the operator's addresses, check whether HTTPS_PROXY or NO_PROXY leads elsewhere, and start the doctor: ${callAlone('doctor')}`,
    }),
  },
  {
    applies: ({ exchanges }) => exchanges.some(wasThrottled),
    hint: () => ({
      cause: 'Throttling: the target answered 429 during this check.',
      next: 'Lower RUN_RATE or RUN_CONCURRENCY, or ask the operator for a higher limit, and run it again.',
    }),
  },
  {
    applies: ({ exchanges }) => exchanges.some(({ response }) => response === null),
    hint: () => ({
      cause: 'No complete answer arrived: a time-out, a reset, or a truncated answer.',
      next: 'Look for the request in the log of the target or its gateway at the time shown. If the target is only slow, raise RUN_TIMEOUT_MS.',
    }),
  },
  {
    applies: ({ requirement, clockAhead }) =>
      Math.abs(clockAhead ?? 0) > CLOCK_DIFFERENCE && /expire|lives|before|minutes|clock|epoch/.test(requirement.id),
    hint: ({ clockAhead }) => ({
      cause: `Clock difference: by its Date headers, the target's clock is ${Math.abs(Math.round(clockAhead!))} s ${clockAhead! > 0 ? 'ahead of' : 'behind'} this machine's.`,
      next: 'Set both clocks by NTP. If only one node of the target is off, times in answers differ from request to request.',
    }),
  },
  {
    applies: ({ requirement, exchanges }) =>
      groupOf(requirement) === 'authorisation' && exchanges.some(({ response }) => isSuccess(response?.status)),
    hint: () => ({
      cause:
        'Authorisation: the operation does not check the credentials, or answers a caller who must not reach the thing.',
      next: 'Check whether the route has the same authorisation as the others, and whether look-ups are limited to what the caller may see.',
    }),
  },
  {
    applies: ({ exchanges }) =>
      exchanges.some(({ intent, response }) => isValid(intent) && [401, 403].includes(response?.status ?? 0)),
    hint: () => ({
      cause: 'Authorisation: a valid request with good credentials was refused.',
      next: `Check whether the credentials may call this operation (TARGET_SCOPE, role of the login) and whether a gateway requires its own header (TARGET_HEADERS). The doctor distinguishes the two: ${callAlone('doctor')}`,
    }),
  },
  {
    applies: ({ exchanges }) => exchanges.some(({ response }) => (response?.status ?? 0) >= 500),
    hint: ({ exchanges }) => ({
      cause: 'Internal error: the target answered with a status of 500 or above.',
      next: `Look in its log at ${exchanges.find(({ response }) => (response?.status ?? 0) >= 500)!.startedAt}.`,
    }),
  },
  {
    applies: ({ exchanges }) => exchanges.some(({ response }) => Math.floor((response?.status ?? 0) / 100) === 3),
    hint: () => ({
      cause: 'The target redirects. The suite does not follow redirects, so that no secret goes to another host.',
      next: 'Configure the address that it redirects to, with https if required.',
    }),
  },
  {
    applies: ({ requirement, exchanges }) =>
      ['states', 'effects'].includes(groupOf(requirement)) && nothingShowed(exchanges),
    hint: () => ({
      cause: 'Perhaps a slow effect: the change was accepted, but did not show in time when it was read back.',
      next: 'Repeat the requests by hand, and read again after some seconds. If the change shows then, raise RUN_SETTLE_MS.',
    }),
  },
];

/** The hints that apply, the likeliest first. */
export const hintsFor = (symptoms: Symptoms): Hint[] =>
  HINTS.filter(({ applies }) => applies(symptoms)).map(({ hint }) => hint(symptoms));

const isValid = (intent: string) => intent.startsWith('valid');
const isSuccess = (status = 0) => status >= 200 && status < 300;

function isHtml({ response }: Exchange): boolean {
  const type = [response?.headers['content-type'] ?? ''].flat().join();
  return /text\/html/i.test(type) || /^\s*<(?:!doctype html|html)\b/i.test(response?.body ?? '');
}

const wasThrottled = ({ response, retries }: Exchange) =>
  response?.status === 429 || (retries ?? []).some(({ status }) => status === 429);

/** Whether the last reading after an accepted change equals an earlier reading of the same thing. */
function nothingShowed(exchanges: readonly Exchange[]): boolean {
  const change = exchanges.findIndex(
    ({ request, response }) => request.method !== 'GET' && isSuccess(response?.status),
  );
  const last = exchanges.findLastIndex(
    ({ request, response }) => request.method === 'GET' && isSuccess(response?.status),
  );
  if (change < 0 || last < change) return false;
  const before = exchanges.slice(0, change).findLast(({ request }) => request.url === exchanges[last]!.request.url);
  return before?.response?.body === exchanges[last]!.response?.body;
}
