/** Transitions of cards, tried where they succeed, by operation. */
import { activation } from './activation.ts';
import { closing } from './closing.ts';
import * as Endings from './endings.ts';
import { suspension } from './suspension.ts';
import { type TransitionSource, transitionIn } from './transition.ts';

export const TRANSITIONS = {
  'cards.suspend': transitionIn(suspension, 'cards.suspend'),
  'cards.unsuspend': transitionIn(suspension, 'cards.unsuspend'),
  'cards.activate': transitionIn(activation, 'cards.activate'),
  'cards.markLost': transitionIn(Endings.loss, 'cards.markLost'),
  'cards.unmarkFraud': transitionIn(Endings.fraudUnmarked, 'cards.unmarkFraud'),
  'cards.close': transitionIn(closing, 'cards.close'),
} satisfies Record<string, TransitionSource>;
