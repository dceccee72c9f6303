/** What all suites declare, in one collection: a file declares its checks, rules, monitors and observations when it is imported. */
import { defineSuite } from '../helpers/check.ts';
import { Life, playedFrom, type Source } from '../helpers/engine/life.ts';
import { monitored as monitoredIn } from '../helpers/engine/monitor.ts';
import { type Probed, ProbeTable } from '../helpers/engine/probe-table.ts';
import type { Monitor } from '../helpers/evidence/monitor.ts';

const declared = defineSuite();
export const { check, everyExchange, watch, afterwards, suite } = declared;

/** Checks of a requirement that only make exchanges happen, for a monitor to judge; see {@link monitoredIn}. */
export const monitored = (requirement: string, monitor: Monitor, how?: Parameters<typeof monitoredIn>[3]) =>
  monitoredIn(declared, requirement, monitor, how);

/** All lives that suites declare. */
export const declaredLives: Pick<Life<object>, 'name' | 'unread'>[] = [];

/** A life that is played in its own way; see {@link Life}. */
export function lifeOf<Start extends object>(
  name: string,
  sourceOf: (life: Life<Start>) => Source<Start>,
): Life<Start> {
  const made = new Life(declared, name, sourceOf);
  declaredLives.push(made);
  return made;
}

/** What is done to what was leased, step by step. @param begin gives what the steps begin with; it may ask which of them are played */
export const life = <Start extends object>(name: string, begin: Parameters<typeof playedFrom<Start, never>>[1]) =>
  lifeOf<Start>(name, (made) => playedFrom(made, begin));

/** Checks of an operation as rows of a table; see {@link ProbeTable}. */
export const probeTable = <F extends string>(probed: Probed<F>) => new ProbeTable(declared, probed);
