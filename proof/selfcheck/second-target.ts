/** Runs the suite against forms of the second target, which was written from the documents alone. */
import { fileURLToPath } from 'node:url';
import { type Freedom, freedoms, isOfTransport } from '../second-target/freedoms.ts';
import type { Form, Judged } from './form-worker.ts';
import { packed } from './packs.ts';
import { inProcesses } from './pool.ts';

/** Time limit of a run, in milliseconds; some forms throttle or lag, and the machine may be busy. */
const LIMIT_MS = 300_000;
/** Parallel processes; more than cores, since some forms mostly wait. */
const PROCESSES = 6;
/** Freedoms of one pack. */
const PACKED = 16;

/** Freedoms that the documents seem to leave but a reading excludes, with that reading. */
const contested: Readonly<Record<string, string>> = {
  'cip-without-session': 'reading 1: each operation but login takes a session, getCIPCheck too',
  'logout-of-an-ended-session-succeeds': 'reading 33: logout of an ended session is answered with 400',
  'encrypt-wants-a-nonce': 'reading 30: encrypt-for-vde accepts an empty object',
  'permissions-need-one-member': 'reading 21: permissions without members are accepted',
  'hierarchy-parent-is-the-given-customer': 'reading 37: the parent of a customer is in its hierarchy',
  'order-births-given': 'reading 7: an order without any optional member is accepted',
  'order-identifier-wanted': 'reading 7: an order without any optional member is accepted',
  'shipping-method-wanted-for-plastic': 'reading 7: an order without any optional member is accepted',
  'max-of-two-at-least': 'reading 18: max from 1 to 50 is accepted',
};

/** Runs the suite against each form. */
export const judgeForms = (forms: readonly Form[], onResult: (judged: Judged) => void = () => {}): Promise<Judged[]> =>
  inProcesses<Form, Judged>(forms, {
    worker: fileURLToPath(new URL('form-worker.ts', import.meta.url)),
    limitMs: LIMIT_MS,
    processes: PROCESSES,
    broke: (form, broke) => ({ ...form, failed: [], blocked: [], requests: 0, broke }),
    onResult,
  });

/** The forms that were accused, or of which there is no verdict. */
export const accusedOf = (judged: readonly Judged[]) =>
  judged
    .filter(({ failed, broke }) => failed.length > 0 || broke !== undefined)
    .map(({ freedoms, turned, failed, broke }) => ({ freedoms, turned, failed, broke }));

const uncontested = freedoms.filter(({ id }) => !Object.hasOwn(contested, id));

/**
 * Packs that contain every freedom once, among others that it does not exclude; each pack rotates the card pools by a different number. The
 * same each time. Those of transport stand together, since they alone need connections.
 */
export const packs = (size = PACKED): Form[] => {
  const { wire = [], others = [] } = Object.groupBy(uncontested, (one) => (isOfTransport(one) ? 'wire' : 'others'));
  return [wire, others]
    .flatMap((group) => packed(group, size, (one, other) => !exclude(one, other)))
    .map((pack, turned) => ({ freedoms: pack.map(({ id }) => id), faults: [], turned }));
};

const exclude = (one: Freedom, other: Freedom) =>
  one.excludes?.includes(other.id) === true || other.excludes?.includes(one.id) === true;
