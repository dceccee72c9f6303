/** The run that a worker of vitest makes. */
import '../node-20.ts';
import { inject } from 'vitest';
import { suite } from '../../suites/index.ts';
import { declareChecks } from './declare.ts';

export const declareConformance = () => declareChecks(inject('configuration'), suite);
