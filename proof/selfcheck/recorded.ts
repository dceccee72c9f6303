/** Judges what a run exchanged again, as a recording: without the target, and without the checks that made it happen. */
import type { Exchange } from '../../contracts/record.ts';
import { SUSPECTED } from '../../contracts/record.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import type { Configuration } from '../../helpers/configuration/types.ts';
import { judgeRecordings } from '../../run/judge.ts';
import { suite } from '../../suites/index.ts';
import { recordedIn } from '../../witness/reports.ts';

const watched = new Set(suite.monitors?.map(({ requirement }) => requirement));

/** Whether exchanges alone may show what a requirement says. */
export const isShownByExchanges = (id: string): boolean => requirementById(id).everyExchange || watched.has(id);

/** Requirements by what a recording shows of them. */
export interface FromRecording {
  failed: { requirement: string; message: string; isMust: boolean }[];
  /** Contradictions that only a run can try again. */
  suspected: string[];
}

/**
 * Judges recorded exchanges.
 * @param isOwn whether the recording is a record of this suite, which knows what each request was meant to be; otherwise it might be anybody's
 */
export async function judgeRecorded(
  { target, fixtures, run }: Configuration,
  exchanges: Iterable<Exchange>,
  isOwn: boolean,
): Promise<FromRecording> {
  const given = { target: { ...target, embedded: false }, fixtures, run };
  const recorded = Array.from(exchanges, (one) => recordedIn(one, 'the run')).map((one) =>
    isOwn ? one : { ...one, own: undefined },
  );
  const { outcomes } = (await judgeRecordings(given, [recorded], undefined)).findings;
  const isMust = (id: string) => requirementById(id).level === 'must';
  return {
    failed: outcomes
      .filter(({ verdict }) => verdict === 'failed')
      .map(({ requirement, message }) => ({ requirement, message, isMust: isMust(requirement) })),
    suspected: outcomes.filter(({ message }) => message.startsWith(SUSPECTED)).map(({ requirement }) => requirement),
  };
}
