import type { Fault } from './core/changes.ts';
export const faults: Fault[] = [];
