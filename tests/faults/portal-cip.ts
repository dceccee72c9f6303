/** Faults of CIP checks. */
import { Buffer } from 'node:buffer';
import { CIP_DIGITS } from '../../contracts/v1/cip.ts';
import type { Refusal } from '../../sandbox/exchange.ts';
import type { Rules } from '../../sandbox/index.ts';
import type { Fault } from './fault.ts';

const CIP = 'portal.getCIPCheck';

const broken = (name: string, rules: Partial<Rules>, ...condemns: string[]): Fault => ({
  name: `CIP: ${name}`,
  condemns: condemns.map((id) => `${CIP}.${id}`),
  sandbox: { rules },
});

/** Outcomes of CIP checks are changed. */
const answering = (name: string, change: (data: Record<string, unknown>) => void, ...condemns: string[]): Fault => ({
  name: `CIP: ${name}`,
  condemns: condemns.map((id) => `${CIP}.${id}`),
  sandbox: {
    middleware: [
      (answer, { operation }) => {
        if (operation === CIP && answer.status === 200) change((answer.body as { data: Record<string, unknown> }).data);
        return undefined;
      },
    ],
  },
});

const lets = (isMeant: (refusal: Refusal) => boolean): Partial<Rules> => ({
  enforces: (refusal) => !(refusal.operation === CIP && isMeant(refusal)),
});

const isWithoutBody = ({ kind, request }: Refusal) =>
  request.raw.length === 0 && (kind === 'missing-body' || kind === 'missing-member');

const digitFaults = Object.entries(CIP_DIGITS).flatMap(([member, digits]): Fault[] => [
  broken(
    `one digit more in ${member}`,
    {
      ...lets(({ kind, name }) => name === member && kind === 'range'),
      cipDigits: (name, byDefault) => (name === member ? byDefault + 1 : byDefault),
    },
    `${member}-digits`,
  ),
  broken(
    `a negative ${member}`,
    lets(({ kind, name }) => name === member && (kind === 'negative' || kind === 'range')),
    `${member}-digits`,
  ),
  broken(
    `too many digits in ${member} are answered with 422`,
    {
      refusalStatus: ({ operation, kind, name }, byDefault) =>
        operation === CIP && kind === 'limit' && name === member ? 422 : byDefault,
    },
    `${member}-digits`,
  ),
  ...(member === 'dobYear'
    ? [
        broken(
          'a year of three digits',
          { cipLeastDigits: (name, byDefault) => (name === member ? 3 : byDefault) },
          'dobYear-digits',
        ),
      ]
    : [
        broken(
          `${member} wants all of its digits`,
          { cipLeastDigits: (name, byDefault) => (name === member ? digits : byDefault) },
          // the persons of the sandbox are born in months of one digit
          member === 'dobMonth' ? 'required-only' : 'fewer-digits-accepted',
        ),
      ]),
]);

export const portalCipFaults: readonly Fault[] = [
  ...digitFaults,
  broken('41 characters of address', { cipAddressLimit: 41 }, 'address-41-refused'),
  broken('addresses of any length', { cipAddressLimit: 100_000 }, 'address-41-refused'),
  broken('40 characters of address are too many', { cipAddressLimit: 39 }, 'address-40-accepted'),
  broken(
    'the limit of the address counts bytes',
    { cipAddressLength: (address) => Buffer.byteLength(address) },
    'address-counts-characters',
  ),
  broken(
    'an address that is too long is answered with 413',
    {
      refusalStatus: ({ operation, kind, name }, byDefault) =>
        operation === CIP && kind === 'limit' && name === 'address' ? 413 : byDefault,
    },
    'address-41-refused',
  ),
  broken(
    'members of any type',
    lets(({ kind }) => kind === 'member-type'),
    'body-types',
  ),
  broken(
    'a month 13',
    lets(({ kind, name }) => kind === 'range' && name === 'dobMonth'),
    'calendar',
  ),
  broken(
    'a day 32',
    lets(({ kind, name }) => kind === 'range' && name === 'dobDay'),
    'calendar',
  ),
  broken('no returnCode', { cipReturnCode: () => undefined }, 'return-code-present'),
  answering(
    'empty question lists come with every outcome',
    (data) => {
      data.questionList ??= [];
    },
    'empty-lists-only-partial',
  ),
  broken('a missing body', lets(isWithoutBody), 'missing-body'),
  broken(
    'a missing body is answered with 500',
    {
      refusalStatus: (refusal, byDefault) =>
        refusal.operation === CIP && refusal.kind === 'missing-body' ? 500 : byDefault,
    },
    'missing-body',
  ),
  broken(
    'a missing body that is declared as JSON',
    lets((refusal) => isWithoutBody(refusal) && refusal.request.headers['content-type'] !== undefined),
    'missing-body',
  ),
  broken(
    'ssn is required',
    { requires: (of, name, byDefault) => byDefault || (of === CIP && name === 'ssn') },
    'required-only',
  ),
  broken(
    'a missing member is answered with 422',
    {
      refusalStatus: ({ operation, kind, name }, byDefault) =>
        operation === CIP && kind === 'missing-member' && name === 'state' ? 422 : byDefault,
    },
    'required-members',
  ),
  broken(
    'a located person fails',
    { cipOutcome: (_, byDefault) => (byDefault === 'pass' ? 'fail' : byDefault) },
    'outcome-pass',
  ),
  broken('everybody passes', { cipOutcome: () => 'pass' }, 'outcome-fail', 'outcome-partial-questions'),
  broken(
    'both kinds of questions are taken for each other',
    {
      cipOutcome: (_, byDefault) =>
        byDefault === 'partialDifferentiator'
          ? 'partialQuestions'
          : byDefault === 'partialQuestions'
            ? 'partialDifferentiator'
            : byDefault,
    },
    'outcome-partial-differentiator',
    'outcome-partial-questions',
  ),
  broken(
    'a person who is not found is answered with 404',
    {
      alsoRefuses: ({ operation, body }) =>
        operation === CIP && (body as { firstName?: unknown } | undefined)?.firstName === 'Felix'
          ? { kind: 'unknown', name: 'person' }
          : undefined,
    },
    'outcome-fail',
  ),
  answering(
    'the differentiator questions are left out',
    (data) => {
      data.diffQuestionList = null;
    },
    'outcome-partial-differentiator',
  ),
  answering(
    'the configured questions are left out',
    (data) => {
      delete data.questionList;
    },
    'outcome-partial-questions',
  ),
  answering(
    'Pass is left out',
    (data) => {
      if (data.summaryResult === 'Pass') delete data.summaryResult;
    },
    'outcome-pass',
  ),
  answering(
    'questions come with Pass',
    (data) => {
      data.questionList ??= [{ question: 'Which?', type: 'choice', Options: ['This'] }];
    },
    'questions-only-partial',
  ),
  answering(
    'differentiator questions come with Fail alone',
    (data) => {
      if (data.summaryResult === 'Fail') data.diffQuestionList = [{ question: 'When?' }];
    },
    'questions-only-partial',
  ),
];
