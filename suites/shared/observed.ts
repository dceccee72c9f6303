/** Words for what is observed: free of what differs from run to run. */
import { type Answer, succeeded } from '../../helpers/answer.ts';

/** Whether a request was accepted, and with which status it was not. */
export const outcomeInWords = (answer: Answer): string =>
  succeeded(answer) ? 'accepted' : `refused with status ${answer.status}`;
