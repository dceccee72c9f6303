/** The transitions of cards that are tried where they succeed, by operation. */
import { activation, closing, fraudUnmarked, loss } from './endings.ts';
import { suspension } from './suspension.ts';
import { type Transition, type TransitionSource, transitionIn } from './transition.ts';

const itself = (transition: Transition) => transition;

export const TRANSITIONS: Record<string, TransitionSource> = {
  'cards.suspend': transitionIn(suspension, ({ suspend }) => suspend),
  'cards.unsuspend': transitionIn(suspension, ({ unsuspend }) => unsuspend()),
  'cards.activate': transitionIn(activation, itself),
  'cards.markLost': transitionIn(loss, itself),
  'cards.unmarkFraud': transitionIn(fraudUnmarked, itself),
  'cards.close': transitionIn(closing, ({ closing: closed }) => closed),
};
