/** The run that a worker of vitest makes. */
import '../node-20.ts';
import { inject } from 'vitest';
import { suite } from '../../suites/index.ts';
import { declareChecks } from './declare.ts';

/** Declares the checks as tests of vitest, by the configuration that the set-up provides. */
export const declareConformance = () => declareChecks(inject('configuration'), suite);
