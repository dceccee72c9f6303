/** The entry of vitest. */
import '../node-20.ts';
import { inject } from 'vitest';
import { suite } from '../../suites/index.ts';
import { declareChecks } from './declare.ts';

declareChecks(inject('configuration'), suite);
