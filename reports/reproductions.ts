/** How the failures of a run are reproduced: which requests are sent again, and what they need. */
import type { CheckResult, Exchange, RequirementResult } from '../contracts/record.ts';
import type { RunRecord } from './record.ts';
import { giftsOf, isSendable, type Script, scriptOf } from './script.ts';
import { areAtOnce, mayPrepare, stepsOf } from './steps.ts';
import { changesInWords, undoing } from './undoing.ts';
import { type View, viewOf } from './view.ts';

/** Largest number of exchanges that are kept because others may depend on them: of all, and of one check. */
const MOST_KEPT = 5000;
const MOST_OF_CHECK = 200;

const AT_ONCE =
  'In the run some of these requests were under way at the same moment; here they are sent one after another, which may show less.';

const UNSENDABLE = 'What the record holds besides is no request that HTTP can carry, and is left out.';

/** A failed check as requests to send again. */
export interface Reproduction extends Script {
  /** What there is to know before it is sent: what it changes, and what it cannot show; empty if nothing. */
  note: string;
}

/** Gathers what reproductions need from the exchanges of a run, in one pass, so that a long run is never entirely in memory. */
export class Reproductions {
  readonly #view: View;
  /** The checks that made the exchanges which show failures: others of them may have prepared these, which the failed check need not cite. */
  readonly #makers: ReadonlySet<string>;
  readonly #prepared = new Map<string, Exchange[]>();
  readonly #givers = new Map<string, Exchange[]>();
  #kept = 0;

  /** @param exchanges of the run, in the order in which they were sent; or give them one by one to {@link add} */
  constructor(view: View, exchanges: Iterable<Exchange> = []) {
    this.#view = view;
    const failed = view.conformance.requirements.flatMap((requirement) =>
      requirement.checks
        .filter(({ verdict }) => verdict === 'failed')
        .flatMap((check) => stepsOf(requirement, check, view.evidence).map((step) => step.check)),
    );
    this.#makers = new Set(failed);
    for (const exchange of exchanges) this.add(exchange);
  }

  add(exchange: Exchange): void {
    if (this.#kept >= MOST_KEPT) return;
    const keep = (lists: Map<string, Exchange[]>, key: string, most = MOST_KEPT) => {
      const list = lists.get(key) ?? [];
      if (list.length === most) return;
      list.push(exchange);
      lists.set(key, list);
      this.#kept++;
    };
    for (const { key } of giftsOf(exchange)) keep(this.#givers, key);
    if (this.#makers.has(exchange.check) && mayPrepare(exchange)) keep(this.#prepared, exchange.check, MOST_OF_CHECK);
  }

  /** The exchanges that show failures, by id. */
  get evidence(): View['evidence'] {
    return this.#view.evidence;
  }

  /** The first failed check of a requirement. @throws Error when it did not fail */
  failureOf(id: string): [requirement: RequirementResult, check: CheckResult] {
    const requirement = this.#view.conformance.requirements.find((one) => one.id === id);
    const check = requirement?.checks.find(({ verdict }) => verdict === 'failed');
    if (!requirement || !check) throw new Error(`${id}: did not fail in that run`);
    return [requirement, check];
  }

  /** The exchanges that show a failed check, with what leads to them. */
  stepsOf(requirement: RequirementResult, check: CheckResult): Exchange[] {
    return stepsOf(requirement, check, this.#view.evidence, (maker) => this.#prepared.get(maker) ?? []);
  }

  /** The requests that show a failed check again, for a run that has a session and a token of its own: others are used only where they end. */
  again(requirement: RequirementResult, check: CheckResult): Script {
    const steps = this.stepsOf(requirement, check);
    const areEnded = steps.some(({ operation }) => operation === 'portal.logout');
    const givers = [...this.#givers].filter(([key]) => areEnded || !/^(?:ACCESS_TOKEN|SESSION_ID) /.test(key));
    return scriptOf(steps, [], new Map(givers));
  }

  /** The requests that show a failed check again, and then undo what can be undone. */
  of(requirement: RequirementResult, check: CheckResult): Reproduction {
    const steps = this.stepsOf(requirement, check);
    const undo = undoing(steps, this.#view.formerPermissions);
    const notes = [
      changesInWords(steps, undo),
      areAtOnce(steps) ? AT_ONCE : '',
      steps.every(isSendable) ? '' : UNSENDABLE,
    ];
    return { ...scriptOf(steps, undo, this.#givers), note: notes.filter(Boolean).join(' ') };
  }
}

/** How the failures of a recorded run are reproduced. @throws RecordError when its exchanges cannot be read */
export function reproductionsOf({ conformance, exchanges, changes }: RunRecord): Reproductions {
  const view = viewOf(conformance, { exchanges: exchanges(), targetChanges: changes() });
  return new Reproductions(view, exchanges());
}
