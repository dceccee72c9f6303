/** Reports the progress of a running worker, which vitest does not: its requests. */

/** Name of the BroadcastChannel on which a worker posts a {@link WorkerProgress} at intervals. */
export const PROGRESS_CHANNEL = 'prepaid-card-conformance progress';

/** Requests made so far, those in flight, and what throttling makes the run wait for, in words; empty if nothing. */
export interface WorkerProgress {
  requests: number;
  inFlight: number;
  waitingFor: string;
}
