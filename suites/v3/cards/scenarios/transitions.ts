/** Transitions of cards, tried where they succeed, by operation. */
import { closing } from './closing.ts';
import { activation, fraudUnmarked, loss } from './endings.ts';
import { suspension } from './suspension.ts';
import { type TransitionSource, transitionIn } from './transition.ts';

export const TRANSITIONS = {
  'cards.suspend': transitionIn(suspension.first, ({ facts }) => facts.suspend),
  'cards.unsuspend': transitionIn(suspension.first, ({ facts }) => facts.unsuspend()),
  'cards.activate': transitionIn(activation, (activated) => activated),
  'cards.markLost': transitionIn(loss, (lost) => lost),
  'cards.unmarkFraud': transitionIn(fraudUnmarked, (unmarked) => unmarked),
  'cards.close': transitionIn(closing.first, ({ facts }) => facts.closing, closing.another),
} satisfies Record<string, TransitionSource>;
