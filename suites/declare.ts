/** What all suites declare, in one collection: a file declares its checks, rules, monitors and observations when it is imported. */
import { type Context, defineSuite } from '../helpers/check.ts';
import { Life } from '../helpers/engine/life.ts';
import { monitored as monitoredIn } from '../helpers/engine/monitor.ts';
import { type Probed, probeTable as probeTableIn } from '../helpers/engine/probe-table.ts';
import type { Monitor } from '../helpers/evidence/monitor.ts';

const declared = defineSuite();
export const { check, everyExchange, watch, afterwards, suite } = declared;

/** Checks of a requirement that only make exchanges happen, for a monitor to judge; see {@link monitoredIn}. */
export const monitored = (requirement: string, monitor: Monitor, how?: Parameters<typeof monitoredIn>[3]) =>
  monitoredIn(declared, requirement, monitor, how);

/** All lives that suites declare. */
export const declaredLives: Pick<Life<object>, 'first' | 'unread'>[] = [];

/** What is done to what was leased, step by step; see {@link Life}. */
export function life<Start extends object>(name: string, begin: (t: Context) => Promise<Start>): Life<Start> {
  const made = new Life(declared, name, begin);
  declaredLives.push(made);
  return made;
}

/** Checks of an operation as rows of a table; see {@link probeTableIn}. */
export const probeTable = <F extends string>(probed: Probed<F>) => probeTableIn(declared, probed);
