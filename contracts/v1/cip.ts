/** Identity verification (CIP). */
import { z } from 'zod';
import { v1 } from '../documents.ts';
import type { ShapeNote } from '../operation.ts';
import { integer, optional, required, string } from '../types.ts';
import { portal } from './portal.ts';

/** Maximum number of characters of a CIP check's address (Limits). */
export const CIP_ADDRESS_MAX = 40;
/**
 * Maximum digits of the integers of a CIP check. Integers lose leading zeros, so fewer are valid except for dobYear.
 */
export const CIP_DIGITS = { zip: 5, dobMonth: 2, dobDay: 2, dobYear: 4, ssn: 9, ssnLast4: 4 } as const;
export const SUMMARY_RESULTS = ['Pass', 'Fail', 'Partial'] as const;
const RETURN_CODES = [0, 1, -1] as const;

/** An integer of at most `digits` digits. */
const digits = (count: number) => integer.meta({ type: 'integer', minimum: 0, maximum: 10 ** count - 1 });

const cipCheck = z
  .object({
    ...required(string, 'firstName', 'lastName'),
    address: string.max(CIP_ADDRESS_MAX),
    zip: digits(CIP_DIGITS.zip),
    dobMonth: digits(CIP_DIGITS.dobMonth),
    dobYear: integer.meta({ type: 'integer', minimum: 1000, maximum: 9999 }),
    dobDay: digits(CIP_DIGITS.dobDay),
    ssn: digits(CIP_DIGITS.ssn).optional(),
    ssnLast4: digits(CIP_DIGITS.ssnLast4).optional(),
    ...required(string, 'city', 'state'),
  })
  .meta({ id: 'CIPCheck', description: 'The person whose identity is verified.' });

const question = z
  .object({ ...optional(string, 'question', 'type'), Options: z.array(string).optional() })
  .meta({ id: 'Question', description: 'Options are the answer texts to send.' });

const questions = z.array(question).nullable().optional();

const cipData = z
  .object({
    Idnumber: integer.optional(),
    Error: string.optional(),
    summaryResult: z.enum(SUMMARY_RESULTS).optional(),
    detailedMessages: z.array(z.object(optional(string, 'message'))).optional(),
    diffQuestionList: questions,
    questionList: questions,
  })
  .meta({ id: 'CIPData', description: 'What a CIP check found; null question lists are documented.' });

const cipResponse = z
  .object({
    returnCode: integer.meta({ type: 'integer', enum: [...RETURN_CODES] }).optional(),
    data: cipData.optional(),
  })
  .meta({ id: 'CIPResponse', description: 'Outcome of a CIP check.' });

export const cipOperations = [
  portal('getCIPCheck', 'Verify the identity of a person', 'POST', {
    more: 'Pass: located. Fail: not found. Partial: several individuals matched, and questions follow.',
    body: {
      mediaType: 'application/json',
      schema: cipCheck,
      required: true,
      requiredMembers: ['firstName', 'lastName', 'address', 'zip', 'dobMonth', 'dobYear', 'dobDay', 'city', 'state'],
    },
    success: cipResponse,
    errors: [400, 401, 500],
    risk: 'irreversible',
  }),
];

const questionExample = {
  question: 'Which of these streets have you lived in?',
  type: 'residence',
  Options: ['Example Street', 'Sample Road', 'None of these'],
};
const outcome = v1('CIP check request and response');

/** The document's descriptions of the shapes, with an example of each. */
export const cipShapes: Record<string, ShapeNote> = {
  CIPCheck: {
    source: v1('getCIPCheck body'),
    members: {
      address: 'Street address, at most 40 characters.',
      zip: '5 digits; fewer where leading zeros are lost.',
      dobMonth: '2 digits; fewer where leading zeros are lost.',
      dobYear: '4 digits.',
      dobDay: '2 digits; fewer where leading zeros are lost.',
      ssn: '9 digits; fewer where leading zeros are lost.',
      ssnLast4: 'Last 4 digits; fewer where leading zeros are lost.',
    },
    example: {
      firstName: 'Ada',
      lastName: 'Example',
      address: '1 Example Street',
      zip: 62701,
      dobMonth: 2,
      dobYear: 1990,
      dobDay: 3,
      city: 'Springfield',
      state: 'IL',
    },
  },
  CIPResponse: {
    source: outcome,
    members: { returnCode: '0 only if the server is down or the network is poor; 1 and -1 are not explained.' },
    example: { returnCode: 1, data: { Idnumber: 99, summaryResult: 'Partial', diffQuestionList: [questionExample] } },
  },
  CIPData: {
    source: outcome,
    members: {
      Idnumber: 'Verification id; relates to a Partial result.',
      Error: 'Error message.',
      summaryResult: 'Pass: subject located. Fail: subject not found. Partial: several individuals matched.',
      detailedMessages: 'Detailed messages.',
      diffQuestionList: 'Differentiator questions; not null only for Partial.',
      questionList: 'Questions per customer configuration; not null only for Partial.',
    },
    example: {
      summaryResult: 'Pass',
      detailedMessages: [{ message: 'located' }],
      diffQuestionList: null,
      questionList: null,
    },
  },
  Question: { source: outcome, members: { Options: 'The answer texts to send.' }, example: questionExample },
};
