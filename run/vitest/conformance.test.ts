/** The entry of vitest. */
import { inject } from 'vitest';
import { suite } from '../../suites/index.ts';
import { declareChecks } from './declare.ts';

declareChecks(inject('configuration'), suite);
