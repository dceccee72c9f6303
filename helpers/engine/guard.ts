/** The guard of an operation: whoever has no good token or session is refused, is given nothing and changes nothing (readings 17, 31 and 34). */
import { type Answer, describe, header, succeeded } from '../answer.ts';
import { fail, inconclusive } from '../verdict.ts';
import { expectNothingGiven } from './disclosure.ts';

/** A request with a credential that must not grant access. */
export interface Probe {
  /** What is wrong with the credential, e.g. `another scheme`. */
  name: string;
  answer: Answer;
}

/** Requests of one operation with bad credentials, and what a good one gets. */
export interface Guarded {
  probes: readonly Probe[];
  /** Whether the same request with a good credential is accepted; called only where the statuses do not decide. */
  isAccepted(): boolean | Promise<boolean>;
  /** The answer to a good credential, where the request names what may not exist: a refusal then has to differ from it. */
  good?: Answer | undefined;
  /** The effect of the refused requests, in words; undefined for none. */
  effect?(): Promise<string | undefined>;
}

/**
 * Expects requests with bad credentials to be refused because of these, without effect.
 * @throws Nonconformance when one is accepted, discloses what was asked for or has an effect; Inconclusive when the refusal may have another reason
 */
export async function expectGuarded({ probes, isAccepted, good, effect }: Guarded): Promise<void> {
  for (const { name, answer } of probes) expectNothingGiven(answer, `a request with ${name}`);
  const done = await effect?.();
  if (done) fail(`requests with bad tokens are refused but have an effect: ${done}`);
  for (const probe of probes) if (!isAboutCredential(probe, good)) await requireAccepted(probe, isAccepted, good);
}

/** Whether the status alone says that the credential is why: another one than a good credential gets for what may not exist. */
export const isAboutCredential = ({ answer: { status } }: Probe, good?: Answer): boolean =>
  [401, 403].includes(status) && status !== good?.status;

async function requireAccepted(
  { name, answer }: Probe,
  isAccepted: Guarded['isAccepted'],
  good?: Answer,
): Promise<void> {
  if (await isAccepted()) return;
  const instead = good ? `answered with ${describe(good)}` : 'refused, too';
  inconclusive(`a request with ${name} is answered with ${describe(answer)}, but a good credential is ${instead}`);
}

/** Requests about what does not exist: a good token has to be answered otherwise. */
export const guardedBy = (probes: readonly Probe[], good: Answer): Guarded => ({
  probes,
  good,
  isAccepted: () => succeeded(good),
});

/** Judges `challenge`: 401 with WWW-Authenticate (RFC 6750 section 3). @throws Nonconformance otherwise */
export function expectChallenged(probes: readonly Probe[]): void {
  for (const { name, answer } of probes) {
    const { status } = answer;
    if (status !== 401)
      fail(`a request with ${name} is answered with status ${status}`, {
        expected: '401',
        actual: String(status),
        in: answer,
      });
    if (header(answer, 'www-authenticate') === undefined)
      fail(`the 401 to a request with ${name} has no WWW-Authenticate`, {
        expected: 'a WWW-Authenticate header',
        actual: 'none',
        in: answer,
      });
  }
}
