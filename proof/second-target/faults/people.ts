/** Faults of CIP checks. */
import type { Choices } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { isObject, type JsonObject } from '../json.ts';
import { bodyWith, onBody, overlook, rule } from '../tools.ts';
import { type Fault, fault } from './fault.ts';

/** Overlooks what is wrong with one member of some persons. */
const ofPersons = (when: (sent: JsonObject) => boolean, field: string) => (c: Choices) =>
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

const has = (sent: JsonObject, name: string) => sent[name] !== undefined && sent[name] !== null;

const ssnAlone = (sent: JsonObject) => has(sent, 'ssn') && !has(sent, 'ssnLast4');

const neither = (sent: JsonObject) => !has(sent, 'ssn') && !has(sent, 'ssnLast4');

function person(broken: (sent: Exchange['content']) => boolean): (c: Choices) => void {
  return (c) => rule(c, 'portal.getCIPCheck', ({ content }) => broken(content), 400);
}

function taken(when: (sent: Exchange['content']) => boolean, named: string): (c: Choices) => void {
  return (c) =>
    overlook(c, 'portal.getCIPCheck', 'bad-person', ({ content }, field) => field === named && when(content));
}

const length = (sent: Exchange['content']) => String(sent.address).length;

export const personFaults: Fault[] = [
  fault(
    'year-of-three-digits-taken',
    'portal.getCIPCheck.dobYear-digits',
    ofPersons(({ dobYear }) => Number(dobYear) > 99 && Number(dobYear) < 1000, 'dobYear'),
  ),
  fault(
    'address-of-41-taken-without-ssn',
    ['portal.getCIPCheck.address-41-refused', 'portal.getCIPCheck.required-members'],
    ofPersons((sent) => sent.ssn === undefined && sent.ssnLast4 === undefined, 'address'),
  ),
  fault(
    'address-of-41-taken-with-last-four-only',
    ['portal.getCIPCheck.address-41-refused', 'portal.getCIPCheck.dobDay-digits', 'portal.getCIPCheck.dobYear-digits'],
    ofPersons((sent) => sent.ssn === undefined && sent.ssnLast4 !== undefined, 'address'),
  ),
  fault('questions-come-with-a-later-pass', 'portal.getCIPCheck.questions-only-partial', (c) =>
    again(
      c,
      ({ summaryResult }) => summaryResult === 'Pass',
      (data) => ({ ...data, questionList: [{ question: 'Why?', type: 'text', Options: ['x'] }] }),
    ),
  ),
  fault(
    'month-of-100-taken-of-who-has-no-number',
    'portal.getCIPCheck.required-members',
    ofPersons(neither, 'dobMonth'),
  ),
  fault('ssn-of-ten-digits-taken-without-last-four', 'portal.getCIPCheck.ssn-digits', ofPersons(ssnAlone, 'ssn')),
  fault('return-code-is-zero-for-partial', 'portal.getCIPCheck.return-code-zero', (c) =>
    bodyWith(c, 'portal.getCIPCheck', ({ returnCode, data }) => ({
      returnCode: isObject(data) && data.summaryResult === 'Partial' ? 0 : returnCode,
    })),
  ),
  fault(
    'cip-refuses-forty-characters',
    'portal.getCIPCheck.address-40-accepted',
    person((sent) => length(sent) === 40),
  ),
  fault(
    'cip-counts-bytes',
    'portal.getCIPCheck.address-counts-characters',
    person(({ address }) => Buffer.byteLength(String(address)) > 40),
  ),
  fault(
    'cip-takes-300-characters',
    'portal.getCIPCheck.address-41-refused',
    taken((sent) => length(sent) > 255, 'address'),
  ),
];
