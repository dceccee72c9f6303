import type { Fault } from './core/changes.ts';
import { askedAgain } from './faults/asked-again.ts';
import { askedOnce } from './faults/asked-once.ts';
import { caches } from './faults/caches.ts';
import { directions } from './faults/directions.ts';
import { effects } from './faults/effects.ts';
import { forms } from './faults/forms.ts';
import { money } from './faults/money.ts';
import { oddValues } from './faults/odd-values.ts';
import { ordinary } from './faults/ordinary.ts';
import { sessions } from './faults/sessions.ts';
import { unfamiliar } from './faults/unfamiliar.ts';

/** Behaviours that break a must of the readings: each of these is to be condemned. */
export const faults: Fault[] = [
  ...forms,
  ...oddValues,
  ...directions,
  ...sessions,
  ...effects,
  ...caches,
  ...money,
  ...askedOnce,
  ...askedAgain,
  ...ordinary,
  ...unfamiliar,
];
