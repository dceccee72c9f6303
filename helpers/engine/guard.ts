/** The guard of an operation: whoever has no good token or session is refused, and is given nothing (readings 17, 31 and 34). */
import { isDeepStrictEqual } from 'node:util';
import { operations } from '../../contracts/operations.ts';
import { type Answer, describe, header, type Intent, isOfCredential, succeeded } from '../answer.ts';
import type { Monitor } from '../evidence/monitor.ts';
import { expectStatus } from '../expect.ts';
import { attempt, fail, inconclusive, notApplicable } from '../verdict.ts';
import { expectNothingGiven } from './disclosure.ts';
import { judged } from './monitor.ts';

/** Answers of some operations to requests with bad credentials. */
const badOf = (operations: readonly string[], history: readonly Answer[]) =>
  history.filter(
    ({ operation, intent, wrong }) => operations.includes(operation.id) && intent === 'unauthorised' && wrong,
  );

const inWords = ({ wrong }: Answer) => `a request with ${wrong!.what}`;

/** What a request is meant to be that has a good credential, and names what is within its reach, or nothing. */
const GOOD: readonly Intent[] = ['valid', 'refusable', 'unknown'];

const subjectOf = ({ operation, input }: Answer): string => `${operation.id} ${input.path?.identifier}`;

/** The requests with good credentials, by operation and identifier. */
const goodIn = (history: readonly Answer[]): Map<string, Answer[]> =>
  Map.groupBy(
    history.filter(({ intent }) => GOOD.includes(intent)),
    subjectOf,
  );

/** The answer to the same request with a good credential, else to another one about the same thing; an accepted one, where there is one. */
function goodFor(bad: Answer, good: ReadonlyMap<string, readonly Answer[]>): Answer | undefined {
  const of = good.get(subjectOf(bad)) ?? [];
  const isSame = ({ input }: Answer) => isDeepStrictEqual(input, bad.input);
  return of.find((one) => succeeded(one) && isSame(one)) ?? of.find(succeeded) ?? of.at(-1);
}

/** Whether the status alone says that the credential is why: another one than a good credential gets. */
const isAboutCredential = (answer: Answer, good?: Answer): boolean =>
  isOfCredential(answer) && answer.status !== good?.status;

/**
 * Requests with bad credentials are refused because of these, and disclose nothing. What is refused otherwise has to be accepted with a good one;
 * nobody knows how where the documents only list the operation.
 * Tokens that have expired are another matter.
 */
export const refusesBadCredentials = (operation: string): Monitor =>
  refusesBad([operation], ({ wrong }) => !wrong?.hasExpired);

/** So are requests with a token that has expired. */
export const refusesExpired = (...operations: readonly string[]): Monitor =>
  refusesBad(operations, ({ wrong }) => wrong?.hasExpired === true);

const refusesBad = (operations: readonly string[], isMeant: (bad: Answer) => boolean): Monitor =>
  function* (history) {
    const own = history.filter(({ operation }) => operations.includes(operation.id));
    const bySubject = goodIn(own);
    for (const bad of badOf(operations, own).filter(isMeant)) {
      const good = goodFor(bad, bySubject);
      yield judged(good ? [good, bad] : [bad], () => {
        expectNothingGiven(bad, inWords(bad), { good, history });
        if ((good && succeeded(good)) || isAboutCredential(bad, good)) return;
        // One that refuses others because of their credential is there.
        const isGuarded = () => badOf([bad.operation.id], history).some((one) => isAboutCredential(one, good));
        if (good && bad.operation.listedOnly && !isGuarded())
          notApplicable(
            `a good token is answered with status ${good.status} and a bad one with ${bad.status}, and the documents only list the operation: TARGET_OPERATIONS=${LISTED_ONLY} leaves out what the target does not implement`,
          );
        const instead = good ? `answered with ${describe(good)}` : 'not known to be accepted';
        inconclusive(`${inWords(bad)} is answered with ${describe(bad)}, but a good credential is ${instead}`);
      });
    }
  };

/** Listed-only operations as TARGET_OPERATIONS takes them out: a whole resource, where all of it is listed only. */
const LISTED_ONLY = [
  ...new Set(
    operations
      .filter((one) => one.interface === 'v3' && one.listedOnly)
      .map(({ id }) => {
        const [resource = ''] = id.split('.', 1);
        return operations.every((one) => one.listedOnly || !one.id.startsWith(`${resource}.`)) ? resource : id;
      }),
  ),
].map((claim) => `-${claim}`);

/** Bad credentials are refused with one of some statuses; where a firewall may be why, with 403, too. */
export const refusesWith = (operation: string, statuses: readonly number[]): Monitor =>
  function* (history) {
    for (const bad of badOf([operation], history))
      yield judged([bad], () => {
        expectStatus(bad, bad.wrong?.isFiltered ? [...statuses, 403] : statuses, inWords(bad));
      });
  };

/** Bad credentials are answered with 401 and WWW-Authenticate (RFC 6750 section 3). */
export const challenges = (operation: string): Monitor =>
  function* (history) {
    for (const bad of badOf([operation], history).filter(({ leftOut }) => !leftOut?.headers))
      yield judged([bad], () => {
        expectStatus(bad, [401], inWords(bad));
        if (header(bad, 'www-authenticate') === undefined)
          fail(`the 401 to ${inWords(bad)} has no WWW-Authenticate`, 'a WWW-Authenticate header', 'none', { in: bad });
      });
  };

/** Sends a request with a good credential where the statuses of those with bad ones do not say that these are why they are refused. */
export async function compare(bad: readonly Answer[], good: () => Promise<unknown>): Promise<void> {
  if (!bad.every((answer) => succeeded(answer) || isAboutCredential(answer))) await attempt(good);
}
