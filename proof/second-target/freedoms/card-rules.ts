import type { Exchange } from '../exchange.ts';
import { cardMoves, type Operations, rule } from '../tools.ts';
import { all, apart, atMost, badRequest, type Change, card, conflict, refusesWith, set } from './changes.ts';
import { also, type Freedom, family, ways } from './freedom.ts';

/** Refuses a text of a request for its form. */
const text = (meant: Operations, name: string, broken: (text: string) => boolean): Change =>
  badRequest(meant, ({ content }) => content[name] != null && broken(String(content[name])));

const reissued = (broken: (text: string) => boolean) => text('cards.reissue', 'externalIdentifier', broken);
const nonce = (broken: (text: string) => boolean) => text('cards.encryptForVde', 'nonce', broken);

/** What a target may ask of what changes a card or a customer. */
export const cardRules: Freedom[] = family('business-rule', [
  ...ways('moves', 'v3, Transitions: not shown: how soon after another', {
    'changes-of-state-100-ms-apart': apart(100, cardMoves, card, 409),
    'changes-of-state-300-ms-apart': apart(300, cardMoves, card, 409),
  }),
  ...ways('suspensions', 'v3, POST suspend: how often a card may be suspended is open', {
    'one-suspension-a-day': atMost(1, 'cards.suspend', card),
    'three-suspensions-a-day': atMost(3, 'cards.suspend', card),
  }),
  ...also('v3, card operations: nothing is said of how often, or under which business conditions', {
    'thirty-changes-of-state-a-day': atMost(30, cardMoves, all),
    'suspend-not-right-after-a-transfer': apart(150, 'cards.suspend', card, 409, { first: 'cards.transfer' }),
    'unsuspend-not-within-150-ms': apart(150, 'cards.unsuspend', card, 409, { first: 'cards.suspend' }),
    'suspend-needs-money-on-the-card': conflict('cards.suspend', ({ card }) => card!.facts.cents <= 0),
    'three-suspended-cards-at-a-time': conflict(
      'cards.suspend',
      ({ world }) => world.cards.filter(({ facts }) => facts.state === 'suspended').length >= 3,
    ),
    'last-active-card-of-a-customer-stays': conflict(
      ['cards.close', 'cards.suspend'],
      ({ card, world }) =>
        !world.cards.some((other) => other !== card && other.owner === card!.owner && other.facts.state === 'active'),
    ),
    'close-not-with-a-wallet': conflict('cards.close', ({ card }) => card!.facts.provisioned !== undefined),
    'four-closings-a-day': atMost(4, 'cards.close', all),
    'mark-lost-not-right-after-activation': apart(200, 'cards.markLost', card, 409, { first: 'cards.activate' }),
    'six-activations-a-day': atMost(6, 'cards.activate', all),
    'activate-needs-a-pin-first': conflict(
      'cards.activate',
      ({ card }) => card!.pin === undefined && card!.n % 2 === 0,
    ),
    'unmark-fraud-not-within-100-ms-of-another': apart(100, 'cards.unmarkFraud', all, 409),
  }),
  ...ways('reissueText', 'v3, cardReissue, externalIdentifier is a string: its form is open', {
    'reissue-identifier-of-digits': reissued((id) => !/^\d+$/.test(id)),
    'reissue-identifier-of-20-characters': reissued((id) => id.length > 20),
    'reissue-identifier-without-hyphens': reissued((id) => id.includes('-')),
  }),
  ...also('v3, POST reissue: nothing is said of how often', {
    'one-reissue-a-card': atMost(1, 'cards.reissue', card),
    'reissue-identifiers-not-twice': atMost(
      1,
      'cards.reissue',
      ({ content, number }) => content.externalIdentifier ?? number,
    ),
    'reissue-identifier-not-of-another-card': conflict('cards.reissue', ({ content, world }) =>
      world.cards.some((other) => other.externalIdentifier === content.externalIdentifier),
    ),
  }),
  ...ways('pinForm', 'v3, updatePin, pin is a string: which ones are taken is open', {
    'pin-of-four-digits': set({ pin: (value) => /^\d{4}$/.test(value) }),
    'pin-of-six-digits': set({ pin: (value) => /^\d{6}$/.test(value) }),
    'pin-of-four-to-twelve-digits': set({ pin: (value) => /^\d{4,12}$/.test(value) }),
    'pin-not-in-a-row': set({ pin: (value) => /^\d{4,6}$/.test(value) && !'0123456789876543210'.includes(value) }),
    'pin-not-of-one-digit': set({ pin: (value) => /^\d{4,6}$/.test(value) && new Set(value).size > 1 }),
    'pin-of-four-different-digits': set({ pin: (value) => /^\d{4}$/.test(value) && new Set(value).size === 4 }),
    'pin-not-like-a-year': set({ pin: (value) => /^\d{4,6}$/.test(value) && !/^(19|20)/.test(value) }),
    'pin-of-letters-too': set({ pin: (value) => /^[0-9A-Za-z]{4,8}$/.test(value) }),
  }),
  ...also('v3, POST pin: nothing is said of how often', {
    'pin-once-a-day': atMost(1, 'cards.setPin', card),
    'pin-not-the-same-again': conflict('cards.setPin', ({ card, content }) => card!.pin === content.pin),
    'pin-not-the-last-four': refusesWith(422, 'cards.setPin', ({ card, content }) => content.pin === card!.lastFour),
  }),
  ...ways('nonceForm', 'v3, encryption request, nonce is an optional string: its form is open', {
    'nonce-in-hex': nonce((value) => !/^[0-9a-f]+$/i.test(value)),
    'nonce-of-16-characters-at-least': nonce((value) => value.length < 16),
    'nonce-as-uuid': nonce((value) => !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)),
    'nonce-in-base64': nonce((value) => !/^[A-Za-z0-9+/]+=*$/.test(value)),
    'nonce-not-empty': nonce((value) => value === ''),
  }),
  ...also('v3, card operations: nothing is said of how often', {
    'nonce-not-for-another-card-either': atMost(
      1,
      'cards.encryptForVde',
      ({ content, number }) => content.nonce ?? number,
    ),
    'ten-temporary-tokens-a-card': atMost(10, 'cards.createToken', card),
    'encrypt-five-times-a-card': atMost(5, 'cards.encryptForVde', card),
    'wallet-not-of-empty-cards': conflict('cards.markWalletProvisioned', ({ card }) => card!.facts.cents === 0),
    'wallet-only-digital-cards': conflict('cards.markWalletProvisioned', ({ card }) => !card!.digital),
    'permissions-100-ms-apart': apart(100, 'users.setPermissions', ({ customer }) => customer, 409),
    'permissions-not-more-than-the-parent': (c) => {
      c.created.push(({ customers }) => {
        for (const customer of customers) customer.permissions = { canSearchLoads: true, canSearchSpends: true };
      });
      const isAbove = ({ customer, content }: Exchange) =>
        content.canSearchLoads === true && customer?.parent?.permissions.canSearchLoads === false;
      rule(c, 'users.setPermissions', isAbove, 409);
    },
  }),
]);
