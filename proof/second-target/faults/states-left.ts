import { tally } from '../tools.ts';
import { type Draft, type Fault, sentences, spot } from './fault.ts';
import { activates, afterwards, card, closes, loses, moves, unsuspends } from './states.ts';

const reopened: Draft[] = [
  ['closed-card-reopened-by-unsuspend', 'cards.unsuspend', unsuspends, moves('unsuspend', 'closed', 'active')],
  ['closed-card-reopened-by-activate', 'cards.activate', activates, moves('activate', 'closed', 'active')],
  ['closed-card-reopened-by-unmark-fraud', 'cards.unmarkFraud', closes, moves('unmarkFraud', 'closed', 'active')],
  ['closed-card-reopened-by-suspend-and-unsuspend', 'cards.suspend', closes, moves('suspend', 'closed', 'suspended')],
  ['lost-card-activated', 'cards.activate', activates, moves('activate', 'lost', 'active')],
  ['lost-card-unsuspended', 'cards.unsuspend', unsuspends, moves('unsuspend', 'lost', 'active')],
  [
    'lost-card-found-by-suspend-and-unsuspend',
    'cards.suspend',
    loses,
    moves('suspend', 'lost', 'suspended'),
    'whether a lost card may be suspended is open',
  ],
  ['suspended-card-activated', 'cards.activate', activates, moves('activate', 'suspended', 'active')],
  ['fraud-card-activated', 'cards.activate', activates, moves('activate', 'fraud', 'active')],
  ['fraud-card-unsuspended', 'cards.unsuspend', unsuspends, moves('unsuspend', 'fraud', 'active')],
  ['unused-card-unsuspended', 'cards.unsuspend', unsuspends, moves('unsuspend', 'unused', 'active')],
  [
    'suspended-card-freed-by-unmark-fraud',
    'cards.unmarkFraud',
    'v3, POST unmarkfraud: unmarks reported fraud',
    moves('unmarkFraud', 'suspended', 'active'),
  ],
  [
    'lost-card-freed-by-unmark-fraud',
    'cards.unmarkFraud',
    'v3, POST unmarkfraud: unmarks reported fraud',
    moves('unmarkFraud', 'lost', 'active'),
  ],
];

const slipped: Draft[] = [
  [
    'suspended-card-freed-by-a-pin',
    'cards.setPin',
    sentences.suspended,
    (c) => afterwards(c, 'cards.setPin', 'suspended', 'active'),
  ],
  [
    'suspended-card-freed-by-a-reissue',
    'cards.reissue',
    sentences.suspended,
    (c) => afterwards(c, 'cards.reissue', 'suspended', 'active'),
  ],
  [
    'suspended-card-freed-by-the-wallet',
    'cards.markWalletProvisioned',
    sentences.suspended,
    (c) => afterwards(c, 'cards.markWalletProvisioned', 'suspended', 'active'),
  ],
  [
    'suspended-card-freed-by-a-status-read',
    'cards.getStatus',
    sentences.suspended,
    (c) => afterwards(c, 'cards.getStatus', 'suspended', 'active'),
  ],
  [
    'suspended-card-freed-by-a-temporary-token',
    'cards.createToken',
    sentences.suspended,
    (c) => afterwards(c, 'cards.createToken', 'suspended', 'active'),
  ],
  [
    'suspended-card-freed-by-a-second-suspension',
    'cards.suspend',
    sentences.suspended,
    (c) => {
      const done = tally(c, 'cards.suspend', card);
      afterwards(c, 'cards.suspend', 'suspended', 'active', (x) => done(x) % 2 === 0);
    },
  ],
  [
    'lost-card-found-by-a-reissue',
    'cards.reissue',
    loses,
    (c) => afterwards(c, 'cards.reissue', 'lost', 'active'),
    'a reissue after loss may be held to end the loss',
  ],
  [
    'closed-card-reopened-by-a-balance-read',
    'cards.getBalance',
    closes,
    (c) => afterwards(c, 'cards.getBalance', 'closed', 'active'),
  ],
  [
    'unused-card-activated-by-a-pin',
    'cards.setPin',
    activates,
    (c) => afterwards(c, 'cards.setPin', 'unused', 'active'),
    'that setting a PIN does not activate is nowhere said',
  ],
];

/** States that are left in a way that they should not be. */
export const leftStateFaults: Fault[] = spot(7, [...reopened, ...slipped]);
