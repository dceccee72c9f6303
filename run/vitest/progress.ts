/** What vitest does not report of a running worker: the requests that it makes. */

/** Name of the BroadcastChannel on which a worker posts a {@link WorkerProgress} now and then. */
export const PROGRESS_CHANNEL = 'prepaid-card-conformance progress';

/** Requests made so far, those in flight, and what throttling makes the run wait for, in words; empty when nothing. */
export interface WorkerProgress {
  requests: number;
  inFlight: number;
  waitingFor: string;
}
