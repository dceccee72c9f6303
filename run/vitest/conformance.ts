/** The run inside a vitest worker. */
import '../node-20.ts';
import { inject } from 'vitest';
import { suite } from '../../suites/index.ts';
import { declareChecks } from './declare.ts';

/** Declares the checks as vitest tests, with the configuration that the set-up provides. */
export const declareConformance = () => declareChecks(inject('configuration'), suite);
