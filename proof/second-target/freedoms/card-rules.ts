import type { Choices } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import { cardMoves, type Operations, rule, since, tally } from '../tools.ts';
import { also, type Freedom, family, ways } from './freedom.ts';

const card = ({ card }: Exchange) => card;

function times(operations: Operations, most: number, key: (x: Exchange) => unknown = card): (c: Choices) => void {
  return (c) => {
    const done = tally(c, operations, key);
    rule(c, operations, (x) => done(x) >= most, 409);
  };
}

function apart(first: Operations, then: Operations, ms: number): (c: Choices) => void {
  return (c) => {
    const ago = since(c, first, card);
    rule(c, then, (x) => ago(x) < ms, 409);
  };
}

function sent(
  operation: Parameters<typeof rule>[1],
  broken: (content: Exchange['content']) => boolean,
  status = 400,
): (c: Choices) => void {
  return (c) => rule(c, operation, ({ content }) => broken(content), status);
}

const moves = [
  ...ways('moves', 'v3, Transitions: not shown: how soon after another', {
    'changes-of-state-100-ms-apart': apart(cardMoves, cardMoves, 100),
    'changes-of-state-300-ms-apart': apart(cardMoves, cardMoves, 300),
  }),
  ...ways('suspensions', 'v3, POST suspend: how often a card may be suspended is open', {
    'one-suspension-a-day': times('cards.suspend', 1),
    'three-suspensions-a-day': times('cards.suspend', 3),
  }),
  ...also('v3, card operations: nothing is said of how often, or under which business conditions', {
    'thirty-changes-of-state-a-day': times(cardMoves, 30, () => 'all'),
    'suspend-not-right-after-a-transfer': apart('cards.transfer', 'cards.suspend', 150),
    'unsuspend-not-within-150-ms': apart('cards.suspend', 'cards.unsuspend', 150),
    'suspend-needs-money-on-the-card': (c) => rule(c, 'cards.suspend', ({ card }) => card!.facts.cents <= 0, 409),
    'three-suspended-cards-at-a-time': (c) =>
      rule(
        c,
        'cards.suspend',
        ({ world }) => world.cards.filter(({ facts }) => facts.state === 'suspended').length >= 3,
        409,
      ),
    'last-active-card-of-a-customer-stays': (c) =>
      rule(
        c,
        ['cards.close', 'cards.suspend'],
        ({ card, world }) => {
          return !world.cards.some(
            (other) => other !== card && other.owner === card!.owner && other.facts.state === 'active',
          );
        },
        409,
      ),
    'close-not-with-a-wallet': (c) => rule(c, 'cards.close', ({ card }) => card!.facts.provisioned !== undefined, 409),
    'four-closings-a-day': times('cards.close', 4, () => 'all'),
    'mark-lost-not-right-after-activation': apart('cards.activate', 'cards.markLost', 200),
    'six-activations-a-day': times('cards.activate', 6, () => 'all'),
    'activate-needs-a-pin-first': (c) =>
      rule(c, 'cards.activate', ({ card }) => card!.pin === undefined && card!.n % 2 === 0, 409),
    'unmark-fraud-not-within-100-ms-of-another': (c) => {
      const ago = since(c, 'cards.unmarkFraud', () => 'any');
      rule(c, 'cards.unmarkFraud', (x) => ago(x) < 100, 409);
    },
  }),
];

const reissue = [
  ...ways('reissueText', 'v3, cardReissue, externalIdentifier is a string: its form is open', {
    'reissue-identifier-of-digits': sent(
      'cards.reissue',
      ({ externalIdentifier: id }) => id != null && !/^\d+$/.test(String(id)),
    ),
    'reissue-identifier-of-20-characters': sent(
      'cards.reissue',
      ({ externalIdentifier: id }) => String(id ?? '').length > 20,
    ),
    'reissue-identifier-without-hyphens': sent('cards.reissue', ({ externalIdentifier: id }) =>
      String(id ?? '').includes('-'),
    ),
  }),
  ...also('v3, POST reissue: nothing is said of how often', {
    'one-reissue-a-card': times('cards.reissue', 1),
    'reissue-identifiers-not-twice': times(
      'cards.reissue',
      1,
      ({ content, number }) => content.externalIdentifier ?? number,
    ),
    'reissue-identifier-not-of-another-card': (c) =>
      rule(
        c,
        'cards.reissue',
        ({ content, world }) => world.cards.some((other) => other.externalIdentifier === content.externalIdentifier),
        409,
      ),
  }),
];

function pins(fits: (pin: string) => boolean): (c: Choices) => void {
  return (c) => void Object.assign(c, { pin: fits });
}

const pin = [
  ...ways('pinForm', 'v3, updatePin, pin is a string: which ones are taken is open', {
    'pin-of-four-digits': pins((value) => /^\d{4}$/.test(value)),
    'pin-of-six-digits': pins((value) => /^\d{6}$/.test(value)),
    'pin-of-four-to-twelve-digits': pins((value) => /^\d{4,12}$/.test(value)),
    'pin-not-in-a-row': pins((value) => /^\d{4,6}$/.test(value) && !'0123456789876543210'.includes(value)),
    'pin-not-of-one-digit': pins((value) => /^\d{4,6}$/.test(value) && new Set(value).size > 1),
    'pin-of-four-different-digits': pins((value) => /^\d{4}$/.test(value) && new Set(value).size === 4),
    'pin-not-like-a-year': pins((value) => /^\d{4,6}$/.test(value) && !/^(19|20)/.test(value)),
    'pin-of-letters-too': pins((value) => /^[0-9A-Za-z]{4,8}$/.test(value)),
  }),
  ...also('v3, POST pin: nothing is said of how often', {
    'pin-once-a-day': times('cards.setPin', 1),
    'pin-not-the-same-again': (c) => {
      rule(c, 'cards.setPin', ({ card, content }) => card!.pin === content.pin, 409);
    },
    'pin-not-the-last-four': (c) => rule(c, 'cards.setPin', ({ card, content }) => content.pin === card!.lastFour, 422),
  }),
];

const nonce = ways('nonceForm', 'v3, encryption request, nonce is an optional string: its form is open', {
  'nonce-in-hex': sent('cards.encryptForVde', ({ nonce }) => nonce != null && !/^[0-9a-f]+$/i.test(String(nonce))),
  'nonce-of-16-characters-at-least': sent(
    'cards.encryptForVde',
    ({ nonce }) => nonce != null && String(nonce).length < 16,
  ),
  'nonce-as-uuid': sent(
    'cards.encryptForVde',
    ({ nonce }) => nonce != null && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(String(nonce)),
  ),
  'nonce-in-base64': sent(
    'cards.encryptForVde',
    ({ nonce }) => nonce != null && !/^[A-Za-z0-9+/]+=*$/.test(String(nonce)),
  ),
  'nonce-not-empty': sent('cards.encryptForVde', ({ nonce }) => nonce === ''),
});

const others = also('v3, card operations: nothing is said of how often', {
  'nonce-not-for-another-card-either': times(
    'cards.encryptForVde',
    1,
    ({ content, number }) => content.nonce ?? number,
  ),
  'ten-temporary-tokens-a-card': times('cards.createToken', 10),
  'encrypt-five-times-a-card': times('cards.encryptForVde', 5),
  'wallet-not-of-empty-cards': (c) =>
    rule(c, 'cards.markWalletProvisioned', ({ card }) => card!.facts.cents === 0, 409),
  'wallet-only-digital-cards': (c) => rule(c, 'cards.markWalletProvisioned', ({ card }) => !card!.digital, 409),
  'permissions-100-ms-apart': (c) => {
    const ago = since(c, 'users.setPermissions', ({ customer }) => customer);
    rule(c, 'users.setPermissions', (x) => ago(x) < 100, 409);
  },
  'permissions-not-more-than-the-parent': (c) => {
    c.created.push(({ customers }) => {
      for (const customer of customers) customer.permissions = { canSearchLoads: true, canSearchSpends: true };
    });
    rule(
      c,
      'users.setPermissions',
      ({ customer, content }) => {
        const above = customer?.parent?.permissions;
        return content.canSearchLoads === true && above?.canSearchLoads === false;
      },
      409,
    );
  },
});

/** What a target may ask of what changes a card or a customer. */
export const cardRules: Freedom[] = family('business-rule', [...moves, ...reissue, ...pin, ...nonce, ...others]);
