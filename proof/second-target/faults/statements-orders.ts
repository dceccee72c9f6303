import type { Choices } from '../choices.ts';
import { isObject } from '../json.ts';
import { bodyWith, drop, onBody, onReply, orderedCards, rule, succeeded } from '../tools.ts';
import { type Draft, type Fault, overlooked, spot } from './fault.ts';

const person: Draft[] = [
  [
    'cip-lists-for-a-pass',
    'portal.getCIPCheck',
    'portal, CIP outcome: both lists are non-null only for Partial',
    (c) => cip(c, (data) => ({ diffQuestionList: data.diffQuestionList ?? [] })),
  ],
  [
    'cip-lists-null-for-a-partial',
    'portal.getCIPCheck',
    'portal, CIP outcome: Partial has a list of questions',
    (c) => cip(c, () => ({ diffQuestionList: null, questionList: null })),
    'that one list is non-null for Partial is not said in so many words',
  ],
  [
    'cip-result-in-capitals',
    'portal.getCIPCheck',
    'portal, CIP response, summaryResult: Pass, Fail or Partial',
    (c) => cip(c, ({ summaryResult }) => ({ summaryResult: String(summaryResult).toUpperCase() })),
  ],
  [
    'cip-partial-called-review',
    'portal.getCIPCheck',
    'portal, CIP response, summaryResult: Pass, Fail or Partial',
    (c) => cip(c, ({ summaryResult }) => ({ summaryResult: summaryResult === 'Partial' ? 'Review' : summaryResult })),
  ],
  [
    'cip-always-passes',
    'portal.getCIPCheck',
    'portal, CIP outcome: Fail is for a subject not found',
    (c) => cip(c, () => ({ summaryResult: 'Pass', diffQuestionList: null, questionList: null })),
  ],
  [
    'cip-return-code-two',
    'portal.getCIPCheck',
    'portal, CIP response, returnCode: 0, 1 or -1',
    (c) => bodyWith(c, 'portal.getCIPCheck', { returnCode: 2 }),
  ],
  [
    'cip-return-code-zero-for-a-fail',
    'portal.getCIPCheck',
    'portal, CIP response: returnCode is 0 only if the server is down or the network is poor',
    (c) =>
      bodyWith(c, 'portal.getCIPCheck', ({ data, returnCode }) => ({
        returnCode: isObject(data) && data.summaryResult === 'Fail' ? 0 : returnCode,
      })),
  ],
  [
    'cip-options-as-objects',
    'portal.getCIPCheck',
    'portal, CIP response, Options: array of string',
    (c) =>
      cip(c, ({ questionList }) => ({
        questionList: Array.isArray(questionList) ? [{ question: 'q', type: 't', Options: [{ text: 'A' }] }] : null,
      })),
  ],
  [
    'cip-options-under-a-small-letter',
    'portal.getCIPCheck',
    'portal, CIP response, question: Options',
    (c) =>
      cip(c, ({ questionList }) => ({
        questionList: Array.isArray(questionList) ? [{ question: 'q', type: 't', options: ['A'] }] : null,
      })),
  ],
];

function cip(c: Choices, members: (data: { [name: string]: unknown }) => object): void {
  onBody(c, 'portal.getCIPCheck', ({ data }) => void (isObject(data) && Object.assign(data, members(data))));
}

const orders: Draft[] = [
  [
    'digital-card-without-shipping-method-refused',
    'portal.orderCards',
    'portal, Order rule 3: shippingMethod is optional and may be null',
    (c) =>
      rule(
        c,
        'portal.orderCards',
        ({ content }) => content.cardType === 'Digital' && content.shippingMethod == null,
        400,
      ),
  ],
  [
    'digital-card-with-null-shipping-method-refused',
    'portal.orderCards',
    'portal, Order rule 3: shippingMethod is optional and may be null',
    (c) =>
      rule(
        c,
        'portal.orderCards',
        ({ content }) => content.cardType === 'Digital' && content.shippingMethod === null,
        400,
      ),
  ],
  [
    'empty-card-type-refused',
    'portal.orderCards',
    'portal, orderCards body, cardType: empty or null means Physical',
    (c) => rule(c, 'portal.orderCards', ({ content }) => content.cardType === '', 400),
  ],
  [
    'null-card-type-refused',
    'portal.orderCards',
    'portal, orderCards body, cardType: empty or null means Physical',
    (c) => rule(c, 'portal.orderCards', ({ content }) => content.cardType === null, 400),
  ],
  [
    'empty-card-type-means-digital',
    'portal.orderCards',
    'portal, orderCards body, cardType: empty or null means Physical',
    (c) => rule(c, 'portal.orderCards', ({ content, program }) => content.cardType === '' && !program!.digital, 403),
  ],
  overlooked(
    'digital-off-heeded-only-for-single-orders',
    'portal.orderCards',
    'portal, Order rule 3: the option allowing digital card orders must be on',
    'digital-off',
    (x) => orderedCards(x).length > 1,
  ),
  overlooked(
    'load-off-not-heeded-without-total-value',
    'portal.orderCards',
    'portal, Order rule 4: the load-while-ordering setting must be on',
    'load-off',
    ({ content }) => content.totalValue == null,
  ),
  overlooked(
    'other-info-not-required',
    'portal.orderCards',
    'portal, Order rule 5: Make Other Field Required',
    'other-info-missing',
  ),
  [
    'single-order-answers-an-order-id',
    'portal.orderCards',
    'portal, Order rule 2: a single order answers with an instant personalized proxy',
    (c) => void Object.assign(c, { orderReply: () => ({ orderId: 5 }) }),
    'the fields of the response are not shown',
  ],
  [
    'last-listed-method-refused',
    'portal.orderCards',
    'portal, orderCards body, shippingMethod: from getShippingMethods',
    (c) => rule(c, 'portal.orderCards', ({ content }) => content.shippingMethod === 'None/Digital', 400),
    'a method may not suit each program',
  ],
];

const emptied: Draft[] = [
  [
    'error-bodies-missing',
    'users.list',
    'v3, Errors: error bodies are an array of error objects',
    (c) => onReply(c, 'users.list', (reply) => void (succeeded(reply) || drop(reply as never, 'body'))),
  ],
];

/** Statements of the documents that are rarely tested: identity checks and orders. */
export const orderStatementFaults: Fault[] = spot(11, [...person, ...orders, ...emptied]);
