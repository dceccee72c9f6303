/** Faults of CIP checks. */
import type { Choices } from '../choices.ts';
import { isObject, type JsonObject } from '../json.ts';
import { bodyWith, onBody, overlook } from '../tools.ts';
import { type Fault, type Prediction, predicted } from './fault.ts';

/** Overlooks what is wrong with one member of some persons. */
const overlooked = (when: (sent: JsonObject) => boolean, field: string) => (c: Choices) =>
  overlook(
    c,
    'portal.getCIPCheck',
    'bad-person',
    ({ content }, of) => [field, 'dobDay'].includes(of ?? '') && when(content),
  );

/** From the second answer of a kind on. */
function again(c: Choices, isMeant: (data: JsonObject) => boolean, change: (data: JsonObject) => JsonObject): void {
  let seen = 0;
  onBody(c, 'portal.getCIPCheck', (body) => {
    if (!isObject(body.data) || !isMeant(body.data)) return;
    seen += 1;
    if (seen > 1) body.data = change(body.data);
  });
}

const long = 'portal, Limits: getCIPCheck address at most 40 characters';
const digits = 'portal, getCIPCheck body: digits';
const has = (sent: JsonObject, name: string) => sent[name] !== undefined && sent[name] !== null;
const lastFourAlone = (sent: JsonObject) => !has(sent, 'ssn') && has(sent, 'ssnLast4');
const ssnAlone = (sent: JsonObject) => has(sent, 'ssn') && !has(sent, 'ssnLast4');
const neither = (sent: JsonObject) => !has(sent, 'ssn') && !has(sent, 'ssnLast4');

const personTaken = (
  id: string,
  field: string,
  breaks: string,
  when: (sent: JsonObject) => boolean,
  requirement = `${field}-digits`,
  spot = 2,
): Prediction => [id, spot, 'portal.getCIPCheck', `portal.getCIPCheck.${requirement}`, breaks, overlooked(when, field)];

const shortened = (form: RegExp, by: string) => (sent: JsonObject) =>
  String(sent.address).replace(form, by).length <= 40;

export const portalPersonFaults: Fault[] = predicted([
  [
    'zip-of-100000-taken',
    9,
    'portal.getCIPCheck',
    'portal.getCIPCheck.zip-digits',
    digits,
    overlooked(({ zip }) => zip === 100000, 'zip'),
  ],
  [
    'zip-of-seven-digits-taken',
    9,
    'portal.getCIPCheck',
    'portal.getCIPCheck.zip-digits',
    digits,
    overlooked(({ zip }) => Number(zip) > 999999, 'zip'),
  ],
  [
    'zip-below-zero-taken',
    9,
    'portal.getCIPCheck',
    'portal.getCIPCheck.zip-digits',
    digits,
    overlooked(({ zip }) => Number(zip) < 0, 'zip'),
  ],
  [
    'ssn-of-a-thousand-million-taken',
    9,
    'portal.getCIPCheck',
    'portal.getCIPCheck.ssn-digits',
    digits,
    overlooked(({ ssn }) => ssn === 1_000_000_000, 'ssn'),
  ],
  [
    'ssn-of-ten-digits-taken',
    9,
    'portal.getCIPCheck',
    'portal.getCIPCheck.ssn-digits',
    digits,
    overlooked(({ ssn }) => Number(ssn) > 1_000_000_000, 'ssn'),
  ],
  [
    'last-four-of-10000-taken',
    9,
    'portal.getCIPCheck',
    'portal.getCIPCheck.ssnLast4-digits',
    digits,
    overlooked(({ ssnLast4 }) => ssnLast4 === 10000, 'ssnLast4'),
  ],
  [
    'month-of-100-taken',
    9,
    'portal.getCIPCheck',
    'portal.getCIPCheck.dobMonth-digits',
    digits,
    overlooked(({ dobMonth }) => dobMonth === 100, 'dobMonth'),
  ],
  [
    'year-of-10000-taken',
    9,
    'portal.getCIPCheck',
    'portal.getCIPCheck.dobYear-digits',
    digits,
    overlooked(({ dobYear }) => dobYear === 10000, 'dobYear'),
  ],
  [
    'year-of-three-digits-taken',
    9,
    'portal.getCIPCheck',
    'portal.getCIPCheck.dobYear-digits',
    digits,
    overlooked(({ dobYear }) => Number(dobYear) > 99 && Number(dobYear) < 1000, 'dobYear'),
  ],
  [
    'day-below-zero-taken',
    9,
    'portal.getCIPCheck',
    'portal.getCIPCheck.dobDay-digits',
    digits,
    overlooked(({ dobDay }) => Number(dobDay) < 0, 'dobDay'),
  ],
  [
    'address-of-41-taken-without-ssn',
    2,
    'portal.getCIPCheck',
    'portal.getCIPCheck.address-41-refused',
    'portal, Limits: getCIPCheck address at most 40 characters',
    overlooked((sent) => sent.ssn === undefined && sent.ssnLast4 === undefined, 'address'),
  ],
  [
    'address-of-41-taken-with-last-four-only',
    2,
    'portal.getCIPCheck',
    'portal.getCIPCheck.address-41-refused',
    'portal, Limits: getCIPCheck address at most 40 characters',
    overlooked((sent) => sent.ssn === undefined && sent.ssnLast4 !== undefined, 'address'),
    'ssnLast4 without ssn is not tried with 41',
  ],
  [
    'person-without-a-name-taken-the-second-time',
    6,
    'portal.getCIPCheck',
    'portal.getCIPCheck.required-members',
    'portal, getCIPCheck body: firstName is required',
    (c) => {
      let asked = 0;
      overlook(c, 'portal.getCIPCheck', 'bad-person', ({ content }, field) => {
        if (field !== 'firstName' || content.firstName !== undefined) return false;
        asked += 1;
        return asked > 1;
      });
    },
    'each member is left out once',
  ],
  [
    'questions-are-asked-once',
    6,
    'portal.getCIPCheck',
    'portal.getCIPCheck.outcome-partial-questions',
    'portal, CIP outcome: Partial',
    (c) =>
      again(
        c,
        ({ questionList }) => Array.isArray(questionList),
        (data) => ({ ...data, questionList: null }),
      ),
  ],
  [
    'second-answer-for-a-person-is-fail',
    6,
    'portal.getCIPCheck',
    'portal.getCIPCheck.outcome-pass',
    'portal, CIP outcome: Pass',
    (c) =>
      again(
        c,
        ({ summaryResult }) => summaryResult === 'Pass',
        (data) => ({ ...data, summaryResult: 'Fail' }),
      ),
  ],
  [
    'questions-come-with-a-later-pass',
    6,
    'portal.getCIPCheck',
    'portal.getCIPCheck.questions-only-partial',
    'portal, CIP outcome: both lists are non-null only for Partial',
    (c) =>
      again(
        c,
        ({ summaryResult }) => summaryResult === 'Pass',
        (data) => ({ ...data, questionList: [{ question: 'Why?', type: 'text', Options: ['x'] }] }),
      ),
  ],
  personTaken('cip-counts-consecutive-blanks-as-one', 'address', long, shortened(/\s+/g, ' '), 'address-41-refused', 9),
  personTaken(
    'cip-counts-letters-and-digits-alone',
    'address',
    long,
    shortened(/[^\w ]/g, ''),
    'address-41-refused',
    9,
  ),
  personTaken(
    'address-of-41-taken-with-a-number-sign',
    'address',
    long,
    ({ address }) => String(address).includes('#'),
    'address-41-refused',
    9,
  ),
  personTaken('zip-of-six-digits-taken-with-ssn-alone', 'zip', digits, ssnAlone),
  personTaken('month-of-100-taken-of-who-has-no-number', 'dobMonth', digits, neither),
  personTaken('year-of-two-digits-taken-with-last-four-alone', 'dobYear', digits, lastFourAlone),
  personTaken('ssn-of-ten-digits-taken-without-last-four', 'ssn', digits, ssnAlone),
  personTaken('last-four-of-five-digits-taken-without-ssn', 'ssnLast4', digits, lastFourAlone),
  personTaken(
    'zip-not-needed-of-a-person-with-last-four-alone',
    'zip',
    'portal, getCIPCheck body: zip is required',
    (sent) => !has(sent, 'zip') && lastFourAlone(sent),
    'required-members',
  ),
  [
    'return-code-is-zero-for-partial',
    5,
    'portal.getCIPCheck',
    'portal.getCIPCheck.return-code-zero',
    'portal, CIP response: returnCode is 0 only if the server is down or the network is poor',
    (c) =>
      bodyWith(c, 'portal.getCIPCheck', ({ returnCode, data }) => ({
        returnCode: isObject(data) && data.summaryResult === 'Partial' ? 0 : returnCode,
      })),
  ],
]);
