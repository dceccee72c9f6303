/** Titles and section headings of the two documents, as requirements and operations cite them. */
import type { Source } from './record.ts';

export const V3 = 'Token, Users and Cards Interface (v3.0.0)';
export const V1 = 'Session-Based Portal Interface (v1)';

/** A section of the token, users and cards document. */
export const v3 = (section: string): Source => ({ document: V3, section });
/** A section of the portal document. */
export const v1 = (section: string): Source => ({ document: V1, section });
