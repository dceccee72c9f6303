/** Transitions of cards, tried where they succeed, by operation. */
import { activation, closing, fraudUnmarked, loss } from './endings.ts';
import { suspension } from './suspension.ts';
import { type TransitionSource, transitionIn } from './transition.ts';

export const TRANSITIONS = {
  'cards.suspend': transitionIn(suspension, ({ suspend }) => suspend),
  'cards.unsuspend': transitionIn(suspension, ({ unsuspend }) => unsuspend()),
  'cards.activate': transitionIn(activation, (activated) => activated),
  'cards.markLost': transitionIn(loss, (lost) => lost),
  'cards.unmarkFraud': transitionIn(fraudUnmarked, (unmarked) => unmarked),
  'cards.close': transitionIn(closing, ({ closing: closed }) => closed),
} satisfies Record<string, TransitionSource>;
