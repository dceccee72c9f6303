/** What the doctor says. */

export interface Remark {
  /** `fault`: a run would not get past it; `note`: worth knowing. */
  kind: 'good' | 'note' | 'fault';
  text: string;
  /** What to do about it. */
  advice?: string;
}

export interface Section {
  title: string;
  remarks: Remark[];
}

/** Variables whose other value was tried and fits. */
export type Remedy = Record<string, string>;

export const good = (text: string): Remark => ({ kind: 'good', text });
export const note = (text: string, advice?: string): Remark => ({ kind: 'note', text, advice });
export const fault = (text: string, advice?: string): Remark => ({ kind: 'fault', text, advice });
