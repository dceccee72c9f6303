/** Faults of orders. */
import type { Choices } from '../choices.ts';
import { isObject, type JsonObject } from '../json.ts';
import { onCards, onReply, orderedCards, rule, succeeded } from '../tools.ts';
import { type Fault, fault, misanswered, overlooked, ruled } from './fault.ts';

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

/** Members of what a CIP check finds are others. */
const cip = (id: string, condemns: string | string[], members: (data: JsonObject) => object): Fault =>
  misanswered(id, condemns, ({ data }) => void (isObject(data) && Object.assign(data, members(data))));

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
  misanswered('third-shipping-method-as-object', 'portal.getShippingMethods.shape', ({ items }) => {
    if (Array.isArray(items)) items.splice(2, 1, { name: 'Ground' });
  }),
  misanswered('second-message-as-text', 'portal.getCIPCheck.shape', ({ data }) => {
    if (isObject(data) && Array.isArray(data.detailedMessages)) data.detailedMessages.splice(1, 1, 'text');
  }),
  fault('second-related-card-with-expiration-as-number', 'cards.listRelated.shape', (c) =>
    onCards(c, (card, _x, i) => void (i === 1 && Object.assign(card, { expiration: 1 })), 'cards.listRelated'),
  ),
  cip(
    'cip-lists-null-for-a-partial',
    ['portal.getCIPCheck.outcome-partial-differentiator', 'portal.getCIPCheck.outcome-partial-questions'],
    () => ({ diffQuestionList: null, questionList: null }),
  ),
  cip(
    'cip-result-in-capitals',
    ['portal.getCIPCheck.outcome-fail', 'portal.getCIPCheck.outcome-pass', 'portal.getCIPCheck.shape'],
    ({ summaryResult }) => ({ summaryResult: String(summaryResult).toUpperCase() }),
  ),
  cip('cip-options-as-objects', 'portal.getCIPCheck.shape', ({ questionList }) => ({
    questionList: Array.isArray(questionList) ? [{ question: 'q', type: 't', Options: [{ text: 'A' }] }] : null,
  })),
  ruled(
    'digital-card-without-shipping-method-refused',
    'portal.orderCards.digital-accepted',
    400,
    ({ content }) => content.cardType === 'Digital' && content.shippingMethod == null,
  ),
  ruled(
    'null-card-type-refused',
    'portal.orderCards.card-type-optional',
    400,
    ({ content }) => content.cardType === null,
  ),
  ruled(
    'empty-card-type-means-digital',
    'portal.orderCards.card-type-optional',
    403,
    ({ content, program }) => content.cardType === '' && !program!.digital,
  ),
  overlooked('other-info-not-required', 'portal.orderCards.other-info-required', 'other-info-missing'),
];
