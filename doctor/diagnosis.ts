/** The doctor's remarks. */

/** One line of the diagnosis. */
export interface Remark {
  /** `fault`: prevents a run; `note`: worth knowing. */
  kind: 'good' | 'note' | 'fault';
  text: string;
  /** What to do about it. */
  advice?: string;
}

/** The remarks on one part of the target, under one heading. */
export interface Section {
  title: string;
  remarks: Remark[];
}

/** Values of variables that were tried and work. */
export type Remedy = Record<string, string>;

export const good = (text: string): Remark => ({ kind: 'good', text });
export const note = (text: string, advice?: string): Remark => ({ kind: 'note', text, advice });
export const fault = (text: string, advice?: string): Remark => ({ kind: 'fault', text, advice });
