/** Judges all that a witness takes in, however much: what it does not hold together any longer was judged before. */
import { operation } from '../contracts/operations.ts';
import { SUSPECTED } from '../contracts/record.ts';
import { requirementById } from '../contracts/requirements/index.ts';
import type { Interface } from '../helpers/configuration/scope.ts';
import type { Configuration } from '../helpers/configuration/types.ts';
import type { Finding } from '../helpers/evidence/ledger.ts';
import type { Recorder } from '../helpers/evidence/recorder.ts';
import type { Outcome } from '../helpers/runner/outcome.ts';
import { suite } from '../suites/index.ts';
import { outcomesOf } from '../witness/outcomes.ts';
import type { Recorded } from '../witness/recorded.ts';
import { Witness } from '../witness/witness.ts';

/** The address of what only a record names. */
const RECORDED = 'http://recorded.invalid';

/** A target that something was seen of, named after the first address where it has no name. */
function seenTarget({ configuration, addresses, coverage }: Witness): Configuration {
  const { target } = configuration;
  const called = new Set(coverage.seen().map((one) => operation(one.operation).interface));
  const addressOf = (of: Interface) => addresses.baseOf(of) ?? (called.has(of) ? RECORDED : undefined);
  const baseUrl = target.baseUrl ?? addressOf('v3');
  const authUrl = target.authUrl ?? addressOf('token');
  const portalUrl = target.portalUrl ?? addressOf('v1');
  const address = baseUrl ?? portalUrl ?? authUrl;
  const name = target.name || (URL.parse(address ?? '')?.host ?? '');
  return {
    ...configuration,
    target: { ...target, name, baseUrl, authUrl, portalUrl },
    // What a run needs to show the same is not known.
    run: { ...configuration.run, repeated: {} },
  };
}

/** What exchanges that follow each other show of a requirement, the most telling first. */
const TELLING = ['failed', 'suspected', 'passed', 'inconclusive', 'notApplicable'];

const telling = ({ verdict, message }: Outcome): number => {
  const place = TELLING.indexOf(message.startsWith(SUSPECTED) ? 'suspected' : verdict);
  return place < 0 ? TELLING.length : place;
};

export class Judgement {
  readonly witness: Witness;
  /** What was found with exchanges that were let go, by requirement. */
  readonly #earlier = new Map<string, Outcome>();

  /** @param mostTogether number of exchanges that are judged together */
  constructor(configuration: Configuration, recorder: Recorder, mostTogether?: number) {
    this.witness = new Witness(configuration, suite, recorder, mostTogether);
  }

  /** Takes an exchange in. @returns what it contradicts by itself */
  take(recorded: Recorded): readonly Finding[] {
    const findings = this.witness.take(recorded);
    if (this.witness.isFull) {
      for (const outcome of this.outcomes) this.#earlier.set(outcome.requirement, outcome);
      this.witness.letGo();
    }
    return findings;
  }

  /** The configuration, with the target as it is known by now. */
  get configuration(): Configuration {
    return seenTarget(this.witness);
  }

  /** The outcome of every requirement by now. */
  get outcomes(): Outcome[] {
    const { witness, configuration } = this;
    return outcomesOf({ ...witness, configuration }, witness.history(), suite).map((outcome) => {
      const earlier = this.#earlier.get(outcome.requirement);
      // What each exchange shows by itself is counted over all of them.
      if (!earlier || requirementById(outcome.requirement).everyExchange) return outcome;
      return telling(earlier) <= telling(outcome) ? earlier : outcome;
    });
  }
}
