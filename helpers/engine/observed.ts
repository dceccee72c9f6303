/** Wording of observations, free of what differs from run to run. */
import { type Answer, succeeded } from '../answer.ts';

/** Says whether a request was accepted, and if not, with which status it was refused. */
export const outcomeInWords = (answer: Answer): string =>
  succeeded(answer) ? 'accepted' : `refused with status ${answer.status}`;
