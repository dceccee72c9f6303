import type { Choices } from '../choices.ts';
import { overlook, tally } from '../tools.ts';
import type { CardState } from '../world.ts';
import { type Draft, type Fault, overlooked, sentences, spot } from './fault.ts';
import { activates, afterwards, card, closes, loses, moves, unsuspends } from './states.ts';

const counted: Draft[] = [
  [
    'suspended-twice-unsuspended-once-stays-suspended',
    'cards.unsuspend',
    unsuspends,
    (c) => {
      const suspended = tally(c, 'cards.suspend', card);
      const freed = tally(c, 'cards.unsuspend', card);
      afterwards(c, 'cards.unsuspend', 'active', 'suspended', (x) => suspended(x) > freed(x));
    },
  ],
  [
    'second-suspension-has-no-effect',
    'cards.suspend',
    sentences.suspended,
    (c) => {
      const freed = tally(c, 'cards.unsuspend', card);
      afterwards(c, 'cards.suspend', 'suspended', 'active', (x) => freed(x) > 0);
    },
  ],
  [
    'second-unsuspension-has-no-effect',
    'cards.unsuspend',
    unsuspends,
    (c) => {
      const freed = tally(c, 'cards.unsuspend', card);
      afterwards(c, 'cards.unsuspend', 'active', 'suspended', (x) => freed(x) > 1);
    },
  ],
  ['close-of-a-suspended-card-has-no-effect', 'cards.close', closes, moves('close', 'suspended', 'suspended')],
  ['close-of-an-unused-card-has-no-effect', 'cards.close', closes, moves('close', 'unused', 'unused')],
  ['close-of-a-lost-card-has-no-effect', 'cards.close', closes, moves('close', 'lost', 'lost')],
  [
    'close-only-suspends',
    'cards.close',
    closes,
    (c) => void Object.assign(c.transitions.close, { active: 'suspended', suspended: 'suspended' }),
  ],
  ['mark-lost-of-a-suspended-card-has-no-effect', 'cards.markLost', loses, moves('markLost', 'suspended', 'suspended')],
  ['mark-lost-of-an-unused-card-has-no-effect', 'cards.markLost', loses, moves('markLost', 'unused', 'unused')],
  ['suspend-has-no-effect', 'cards.suspend', sentences.suspended, moves('suspend', 'active', 'active')],
  ['unsuspend-has-no-effect', 'cards.unsuspend', unsuspends, moves('unsuspend', 'suspended', 'suspended')],
  ['activate-has-no-effect', 'cards.activate', activates, moves('activate', 'unused', 'unused')],
  ['activate-leaves-suspended', 'cards.activate', activates, moves('activate', 'unused', 'suspended')],
  [
    'unmark-fraud-has-no-effect',
    'cards.unmarkFraud',
    'v3, POST unmarkfraud: unmarks reported fraud',
    moves('unmarkFraud', 'fraud', 'fraud'),
  ],
  ['mark-lost-has-no-effect', 'cards.markLost', loses, moves('markLost', 'active', 'active')],
  ['close-has-no-effect', 'cards.close', closes, moves('close', 'active', 'active')],
];

function spends(...states: CardState[]): (c: Choices) => void {
  return (c) => void Object.assign(c, { spends: [...c.spends, ...states] });
}

const spending: Draft[] = [
  ['suspended-cards-spend', 'cards.transfer', sentences.suspended, spends('suspended')],
  ['closed-cards-spend', 'cards.transfer', closes, spends('closed')],
  ['lost-cards-spend', 'cards.transfer', loses, spends('lost')],
  [
    'cards-with-fraud-spend',
    'cards.transfer',
    'v3, POST unmarkfraud: unmarks reported fraud',
    spends('fraud'),
    'that a card with fraud cannot spend is nowhere said',
  ],
  [
    'suspended-cards-spend-when-suspended-again',
    'cards.transfer',
    sentences.suspended,
    (c) => {
      const freed = tally(c, 'cards.unsuspend', card);
      overlook(c, 'cards.transfer', 'cannot-spend', (x) => x.card!.facts.state === 'suspended' && freed(x) > 0);
    },
  ],
  [
    'suspended-cards-spend-within-a-customer',
    'cards.transfer',
    sentences.suspended,
    (c) => {
      overlook(
        c,
        'cards.transfer',
        'cannot-spend',
        ({ card, target }) => card!.facts.state === 'suspended' && card!.owner === target?.owner,
      );
    },
  ],
  overlooked(
    'suspended-cards-spend-up-to-one',
    'cards.transfer',
    sentences.suspended,
    'cannot-spend',
    ({ card, cents }) => card!.facts.state === 'suspended' && cents <= 100,
  ),
  [
    'suspended-cards-spend-once',
    'cards.transfer',
    sentences.suspended,
    (c) => {
      const sent = tally(c, 'cards.transfer', card);
      overlook(c, 'cards.transfer', 'cannot-spend', (x) => x.card!.facts.state === 'suspended' && sent(x) === 0);
    },
  ],
  overlooked(
    'suspended-cards-spend-until-the-status-is-read',
    'cards.transfer',
    sentences.suspended,
    'cannot-spend',
    ({ card }) => card!.facts.state === 'suspended' && card!.facts.recordedState === 'active',
  ),
  overlooked(
    'suspended-cards-spend-after-a-pin',
    'cards.transfer',
    sentences.suspended,
    'cannot-spend',
    ({ card }) => card!.facts.state === 'suspended' && card!.pin !== undefined,
  ),
  overlooked(
    'suspended-cards-spend-from-a-wallet',
    'cards.transfer',
    sentences.suspended,
    'cannot-spend',
    ({ card }) => card!.facts.state === 'suspended' && card!.facts.provisioned !== undefined,
  ),
  overlooked(
    'suspended-cards-spend-to-suspended-ones',
    'cards.transfer',
    sentences.suspended,
    ['cannot-spend', 'cannot-receive'],
    ({ card, target }) => card!.facts.state === 'suspended' && target?.facts.state === 'suspended',
  ),
];

/** States that are not reached, or do not mean what they should. */
export const keptStateFaults: Fault[] = spot(7, [...counted, ...spending]);
