/** Every record that cards.get gives is one of a card, with an identifier: the one asked for (readings 5 and 23). */
import { card as cardShape } from '../../../contracts/v3/cards.ts';
import { bodyOf, isObject, member, succeeded } from '../../../helpers/answer.ts';
import { outlineOf, plainName } from '../../../helpers/contract-rules/outline.ts';
import { contradicts } from '../../../helpers/evidence/ledger.ts';
import { everyExchange } from '../../declare.ts';
import { sameIdentifier } from '../../shared/identifiers.ts';

everyExchange('cards.get.same-card', 'cards.get', (answer) => {
  const { byToken, byProxy } = answer.input.query ?? {};
  return byToken === undefined && byProxy === undefined ? sameIdentifier('card')(answer) : undefined;
});

everyExchange('cards.get.identifier-present', 'cards.get', (answer) => {
  if (!succeeded(answer) || !answer.json?.ok) return undefined;
  if (member(answer, 'identifier') !== undefined) return 'kept';
  return contradicts('identifier is absent', 'the identifier of the card', 'absent');
});

/** Judges the body as a whole: it may be an envelope or a listing of one card. No single member is indispensable, but one must be there. */
everyExchange('cards.get.shape', 'cards.get', (answer) => {
  const body = bodyOf(answer);
  if (!succeeded(answer) || answer.intent === 'malformed' || !isObject(body)) return undefined;
  const names = Object.keys(body);
  if (names.some((name) => outlineOf(cardShape).plainNames!.has(plainName(name)))) return 'kept';
  const actual = names.length > 0 ? `an object with ${names.join(', ')}` : 'an empty object';
  return contradicts('the body has none of the members of a card', 'a card', actual);
});
