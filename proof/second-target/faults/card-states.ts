/** Faults of what a card may do in a state, and of what keeps its state and its flags. */
import type { Choices } from '../choices.ts';
import { onCards, onReply, succeeded } from '../tools.ts';
import type { Card } from '../world.ts';
import { type Fault, instead, predicted, sentences } from './fault.ts';

const provisioned = 'v3, POST wallet-provisioned: flags the card as provisioned to a mobile wallet';

/** Forgets that a card is in a wallet. */
function unflagged(c: Choices, operation: 'cards.setPin' | 'cards.reissue'): void {
  onReply(c, operation, (reply, { card, world }) => {
    if (succeeded(reply) && card) world.alter(card, (facts) => void Object.assign(facts, { provisioned: undefined }));
  });
}

export const cardStateFaults: Fault[] = predicted([
  [
    'unsuspended-cards-pay-once',
    6,
    'cards.unsuspend',
    'cards.unsuspend.pays-again',
    'v3, States: unsuspend applies to a suspended card',
    (c) => {
      const freed = new Map<Card, number>();
      onReply(c, 'cards.unsuspend', (reply, { card }) => {
        if (succeeded(reply) && card) freed.set(card, 0);
      });
      onReply(c, 'cards.transfer', (reply, { card }) => {
        if (succeeded(reply) && card && freed.has(card)) freed.set(card, freed.get(card)! + 1);
      });
      instead(c, 'cards.transfer', ({ world, path }) => {
        const card = world.cards.find(({ identifier }) => identifier === path.identifier);
        return card && (freed.get(card) ?? 0) > 0 ? { status: 409, body: [{ errorCode: 'x' }] } : undefined;
      });
    },
    'a refused transfer may have a rule of the target',
  ],
  [
    'suspension-ends-when-the-card-is-paid',
    7,
    'cards.transfer',
    'cards.suspend.not-active',
    sentences.suspended,
    (c) => {
      const meant = new Set<string>();
      c.before.push(({ operation, text, world }) => {
        const target = /"targetCardIdentifier"\s*:\s*"([^"]+)"/.exec(text)?.[1];
        const card = world.cards.find(({ identifier }) => identifier === target);
        if (operation === 'cards.transfer' && card?.facts.state === 'suspended') {
          meant.add(card.identifier);
          world.alter(card, (facts) => void Object.assign(facts, { state: 'active' }));
        }
        return undefined;
      });
    },
  ],
  [
    'close-of-an-empty-card-has-no-effect',
    7,
    'cards.close',
    'cards.close.not-active',
    'v3, POST close: closes the account',
    (c) =>
      onReply(c, 'cards.close', (reply, { card, world }) => {
        if (succeeded(reply) && card && card.facts.cents === 0)
          world.alter(card, (facts) => void Object.assign(facts, { state: 'active' }));
      }),
    'one card is closed a night',
  ],
  [
    'wallet-flag-lost-by-a-pin',
    7,
    'cards.markWalletProvisioned',
    'cards.markWalletProvisioned.provisioned',
    provisioned,
    (c) => unflagged(c, 'cards.setPin'),
  ],
  [
    'wallet-flag-lost-by-a-reissue',
    7,
    'cards.markWalletProvisioned',
    'cards.markWalletProvisioned.provisioned',
    provisioned,
    (c) => unflagged(c, 'cards.reissue'),
    'a reissued card may have to be provisioned again',
  ],
  [
    'wallet-flag-false-by-token',
    2,
    'cards.get',
    'cards.markWalletProvisioned.provisioned',
    provisioned,
    (c) =>
      onCards(
        c,
        (record, { query }) => {
          if (query.get('byToken') === 'true') record.isProvisionedToWallet = false;
        },
        'cards.get',
      ),
  ],
  [
    'wallet-flag-false-among-related',
    2,
    'cards.listRelated',
    'cards.markWalletProvisioned.provisioned',
    provisioned,
    (c) =>
      onCards(
        c,
        (record) => {
          record.isProvisionedToWallet = false;
        },
        'cards.listRelated',
      ),
    'needs a card that is related to the one provisioned',
  ],
]);
