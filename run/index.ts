/** The library's public interface. */
import './node-20.ts';

export type { Conformance } from '../contracts/record.ts';
export { ConfigurationError } from '../helpers/configuration/index.ts';
export { type Comparison, compare } from '../reports/compare.ts';
export { merge } from '../reports/merge.ts';
export { type RunRecord, readRecord } from '../reports/record.ts';
export { type ConformanceOptions, conformance } from './conformance.ts';
export type { RunProgress } from './in-process.ts';
export { type JudgeOptions, judge, NothingSeen } from './judge.ts';
export type { RunOptions } from './options.ts';
export { type ProxyOptions, type StartedProxy, startProxy } from './proxy.ts';
