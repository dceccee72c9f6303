/** Faults of CIP checks. */
import { CIP_DIGITS } from '../../contracts/v1/cip.ts';
import type { Configuration } from '../../helpers/configuration/types.ts';
import type { Refusal } from '../../sandbox/exchange.ts';
import { broken, letThrough, misanswered } from './broken.ts';
import type { Fault } from './fault.ts';

const CIP = 'portal.getCIPCheck';

/** Outcomes of CIP checks, changed. */
const outcome = (name: string, condemns: string, change: (data: Record<string, unknown>) => void): Fault =>
  misanswered(name, condemns, CIP, ({ data }) => change(data as Record<string, unknown>));

const lets = (isMeant: (refusal: Refusal) => boolean) =>
  letThrough((refusal) => refusal.operation === CIP && isMeant(refusal));

const DIGITS = [
  ['portal.getCIPCheck.zip-digits', 'zip'],
  ['portal.getCIPCheck.dobMonth-digits', 'dobMonth'],
  ['portal.getCIPCheck.dobDay-digits', 'dobDay'],
  ['portal.getCIPCheck.dobYear-digits', 'dobYear'],
  ['portal.getCIPCheck.ssn-digits', 'ssn'],
  ['portal.getCIPCheck.ssnLast4-digits', 'ssnLast4'],
] as const;

const digitFaults = DIGITS.flatMap(([requirement, member]): Fault[] => [
  broken(`CIP: one digit more in ${member}`, requirement, {
    ...lets(({ kind, name }) => name === member && kind === 'range'),
    cipDigits: (name, byDefault) => (name === member ? byDefault + 1 : byDefault),
  }),
  broken(
    `CIP: a negative ${member}`,
    requirement,
    lets(({ kind, name }) => name === member && (kind === 'negative' || kind === 'range')),
  ),
  broken(`CIP: too many digits in ${member} are answered with 422`, requirement, {
    refusalStatus: ({ operation, kind, name }, byDefault) =>
      operation === CIP && kind === 'limit' && name === member ? 422 : byDefault,
  }),
  ...(member === 'dobYear'
    ? [
        {
          ...broken('CIP: a year of five digits is answered with 500', 'portal.getCIPCheck.dobYear-digits', {
            refusalStatus: ({ operation, kind, name }, byDefault) =>
              operation === CIP && kind === 'limit' && name === member ? 500 : byDefault,
          }),
          // Of a person with one number alone any refusal will do, but this is none.
          configure: ({ run }: Configuration) => {
            run.seed = 1;
          },
        },
      ]
    : [
        broken(
          `CIP: ${member} wants all of its digits`,
          [
            member.startsWith('dob')
              ? 'portal.getCIPCheck.one-digit-accepted'
              : 'portal.getCIPCheck.fewer-digits-accepted',
          ],
          { cipLeastDigits: (name, byDefault) => (name === member ? CIP_DIGITS[member] : byDefault) },
        ),
      ]),
]);

export const portalCipFaults: readonly Fault[] = [
  ...digitFaults,
  broken(
    'CIP: members of any type',
    'portal.getCIPCheck.body-types',
    lets(({ kind }) => kind === 'member-type'),
  ),
  broken(
    'CIP: a month 13',
    'portal.getCIPCheck.calendar',
    lets(({ kind, name }) => kind === 'range' && name === 'dobMonth'),
  ),
  broken(
    'CIP: a day 32',
    'portal.getCIPCheck.calendar',
    lets(({ kind, name }) => kind === 'range' && name === 'dobDay'),
  ),
  broken('CIP: no returnCode', 'portal.getCIPCheck.return-code-present', { cipReturnCode: () => undefined }),
  outcome(
    'CIP: empty question lists come with every outcome',
    'portal.getCIPCheck.empty-lists-only-partial',
    (data) => {
      data.questionList ??= [];
    },
  ),
  broken('CIP: ssn is required', 'portal.getCIPCheck.required-only', {
    requires: (of, name, byDefault) => byDefault || (of === CIP && name === 'ssn'),
  }),
  broken('CIP: a missing member is answered with 422', 'portal.getCIPCheck.required-members', {
    refusalStatus: ({ operation, kind, name }, byDefault) =>
      operation === CIP && kind === 'missing-member' && name === 'state' ? 422 : byDefault,
  }),
  broken('CIP: everybody passes', ['portal.getCIPCheck.outcome-fail', 'portal.getCIPCheck.outcome-partial-questions'], {
    cipOutcome: () => 'pass',
  }),
  broken('CIP: a person who is not found is answered with 404', 'portal.getCIPCheck.outcome-fail', {
    alsoRefuses: ({ operation, body }) =>
      operation === CIP && (body as { firstName?: unknown } | undefined)?.firstName === 'Felix'
        ? { kind: 'unknown', name: 'person' }
        : undefined,
  }),
  outcome('CIP: the configured questions are left out', 'portal.getCIPCheck.outcome-partial-questions', (data) => {
    delete data.questionList;
  }),
  outcome('CIP: differentiator questions come with Fail alone', 'portal.getCIPCheck.questions-only-partial', (data) => {
    if (data.summaryResult === 'Fail') data.diffQuestionList = [{ question: 'When?' }];
  }),
];
