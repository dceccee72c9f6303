/** Faults of CIP checks. */
import { isObject, type JsonObject } from '../json.ts';
import { bodyWith, onBody } from '../tools.ts';
import { type Fault, fault, overlooked, ruled } from './fault.ts';

/** What is wrong with some members of some persons is overlooked. */
const ofPersons = (
  id: string,
  condemns: string | readonly string[],
  fields: readonly string[],
  when: (sent: JsonObject) => boolean,
): Fault =>
  overlooked(id, condemns, 'bad-person', ({ content }, field = '') => fields.includes(field) && when(content));

export const personFaults: Fault[] = [
  ofPersons(
    'address-of-41-taken-without-ssn',
    ['portal.getCIPCheck.address-41-refused', 'portal.getCIPCheck.required-members'],
    ['address', 'dobDay'],
    ({ ssn, ssnLast4 }) => ssn === undefined && ssnLast4 === undefined,
  ),
  ofPersons(
    'address-of-41-taken-with-last-four-only',
    ['portal.getCIPCheck.address-41-refused', 'portal.getCIPCheck.dobDay-digits', 'portal.getCIPCheck.dobYear-digits'],
    ['address', 'dobDay'],
    ({ ssn, ssnLast4 }) => ssn === undefined && ssnLast4 !== undefined,
  ),
  ofPersons(
    'cip-takes-300-characters',
    'portal.getCIPCheck.address-41-refused',
    ['address'],
    ({ address }) => String(address).length > 255,
  ),
  ruled(
    'cip-refuses-forty-characters',
    'portal.getCIPCheck.address-40-accepted',
    400,
    ({ content }) => String(content.address).length === 40,
  ),
  ruled(
    'cip-counts-bytes',
    'portal.getCIPCheck.address-counts-characters',
    400,
    ({ content }) => Buffer.byteLength(String(content.address)) > 40,
  ),
  fault('questions-come-with-a-later-pass', 'portal.getCIPCheck.questions-only-partial', (c) => {
    let passes = 0;
    onBody(c, 'portal.getCIPCheck', (body) => {
      const { data } = body;
      if (isObject(data) && data.summaryResult === 'Pass' && ++passes > 1)
        body.data = { ...data, questionList: [{ question: 'Why?', type: 'text', Options: ['x'] }] };
    });
  }),
  fault('return-code-is-zero-for-partial', 'portal.getCIPCheck.return-code-zero', (c) =>
    bodyWith(c, 'portal.getCIPCheck', ({ returnCode, data }) => ({
      returnCode: isObject(data) && data.summaryResult === 'Partial' ? 0 : returnCode,
    })),
  ),
];
