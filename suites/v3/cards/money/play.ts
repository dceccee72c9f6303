/** How books are kept while transfers are made. */
import type * as Contradictions from './contradictions.ts';
import type * as Effects from './effects.ts';

/** How a drive is played: quickly, or again for some rows. */
export interface Play {
  /** How often it was played before: amounts differ from time to time. */
  round?: number;
  /** The rows to send; all if absent. */
  only?: ReadonlySet<string>;
  /** Whether each row has readings of its own, a settle time after it. */
  alone?: boolean;
  /** What the cards have in cents when it begins; read when it is wanted if absent. */
  held?: Effects.Gains;
  /** What its rows are judged by; nothing if absent. */
  judging?: Contradictions.Judging;
}

/** A transfer that is accepted, and the step by whose readers it is judged. */
export interface Control {
  step: string;
  make: () => Effects.Payment | Promise<Effects.Payment>;
}
