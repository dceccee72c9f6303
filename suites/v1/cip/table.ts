/** The table of CIP checks: persons that are accepted, from whom wrong ones are made (reading 39). */
import { probeTable } from '../../declare.ts';
import { CIP, PERSON_MAKERS, plainCheck, statusesFor } from './person.ts';

export const cip = probeTable({
  operation: CIP,
  rights: PERSON_MAKERS,
  inputOf: (json) => ({ json }),
  twin: async () => plainCheck,
  statusesOf: statusesFor,
  fixture: 'portal.cip',
});

/** Persons with one number alone, and one who is not located: a target may have rules for them. */
export const RULED = ['lastFour', 'ssn', 'notLocated'] as const;
export const ANY = ['required', 'whole', ...RULED] as const;
