/** Faults of orders. */
import type { Choices } from '../choices.ts';
import { isObject } from '../json.ts';
import { onBody, onCards, onReply, orderedCards, rule, succeeded } from '../tools.ts';
import { type Fault, fault, overlooked } from './fault.ts';

function everyProgram(c: Choices): void {
  const seen = new Map<string, unknown>();
  rule(c, 'portal.orderCards', ({ content, program }) => {
    const first = seen.get(String(content.externalIdentifier));
    return !!content.externalIdentifier && first !== undefined && first !== program;
  });
  onReply(c, 'portal.orderCards', (reply, { content, program }) => {
    if (succeeded(reply)) seen.set(String(content.externalIdentifier), program);
  });
}

function cip(c: Choices, members: (data: { [name: string]: unknown }) => object): void {
  onBody(c, 'portal.getCIPCheck', ({ data }) => void (isObject(data) && Object.assign(data, members(data))));
}

export const orderFaults: Fault[] = [
  overlooked(
    'digital-taken-where-off-with-a-shipping-method',
    'portal.orderCards.digital-off',
    'digital-off',
    ({ content }) => typeof content.shippingMethod === 'string',
  ),
  overlooked(
    'other-info-not-needed-of-the-third-card',
    'portal.orderCards.other-info-required',
    'other-info-missing',
    (x) => orderedCards(x).findIndex(({ otherInfo }) => !otherInfo) === 2,
  ),
  fault('order-identifiers-shared-by-all-programs', 'portal.orderCards.duplicate-other-program', everyProgram),
  fault('third-shipping-method-as-object', 'portal.getShippingMethods.shape', (c) =>
    onBody(
      c,
      'portal.getShippingMethods',
      ({ items }) => void (Array.isArray(items) && items.splice(2, 1, { name: 'Ground' })),
    ),
  ),
  fault('second-message-as-text', 'portal.getCIPCheck.shape', (c) =>
    onBody(
      c,
      'portal.getCIPCheck',
      ({ data }) =>
        void (isObject(data) && Array.isArray(data.detailedMessages) && data.detailedMessages.splice(1, 1, 'text')),
    ),
  ),
  fault('second-related-card-with-expiration-as-number', 'cards.listRelated.shape', (c) =>
    onCards(c, (card, _x, i) => void (i === 1 && Object.assign(card, { expiration: 1 })), 'cards.listRelated'),
  ),
  fault(
    'cip-lists-null-for-a-partial',
    ['portal.getCIPCheck.outcome-partial-differentiator', 'portal.getCIPCheck.outcome-partial-questions'],
    (c) => cip(c, () => ({ diffQuestionList: null, questionList: null })),
  ),
  fault(
    'cip-result-in-capitals',
    ['portal.getCIPCheck.outcome-fail', 'portal.getCIPCheck.outcome-pass', 'portal.getCIPCheck.shape'],
    (c) => cip(c, ({ summaryResult }) => ({ summaryResult: String(summaryResult).toUpperCase() })),
  ),
  fault('cip-options-as-objects', 'portal.getCIPCheck.shape', (c) =>
    cip(c, ({ questionList }) => ({
      questionList: Array.isArray(questionList) ? [{ question: 'q', type: 't', Options: [{ text: 'A' }] }] : null,
    })),
  ),
  fault('digital-card-without-shipping-method-refused', 'portal.orderCards.digital-accepted', (c) =>
    rule(
      c,
      'portal.orderCards',
      ({ content }) => content.cardType === 'Digital' && content.shippingMethod == null,
      400,
    ),
  ),
  fault('null-card-type-refused', 'portal.orderCards.card-type-optional', (c) =>
    rule(c, 'portal.orderCards', ({ content }) => content.cardType === null, 400),
  ),
  fault('empty-card-type-means-digital', 'portal.orderCards.card-type-optional', (c) =>
    rule(c, 'portal.orderCards', ({ content, program }) => content.cardType === '' && !program!.digital, 403),
  ),
  overlooked('other-info-not-required', 'portal.orderCards.other-info-required', 'other-info-missing'),
];
