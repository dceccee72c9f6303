/** Transitions of cards, tried where they succeed, by operation. */
import { closing } from './closing.ts';
import * as Endings from './endings.ts';
import * as Steps from './steps.ts';
import { suspension } from './suspension.ts';

export const TRANSITIONS = {
  'cards.suspend': Steps.transitionIn(suspension.first, ({ facts }) => facts.suspend),
  'cards.unsuspend': Steps.transitionIn(suspension.first, ({ facts }) => facts.unsuspend.get()),
  'cards.activate': Steps.transitionIn(Endings.activation, (activated) => activated),
  'cards.markLost': Steps.transitionIn(Endings.loss, (lost) => lost),
  'cards.unmarkFraud': Steps.transitionIn(Endings.fraudUnmarked, (unmarked) => unmarked),
  'cards.close': Steps.transitionIn(closing.first, ({ facts }) => facts.closing, closing.another),
} satisfies Record<string, Steps.TransitionSource>;
