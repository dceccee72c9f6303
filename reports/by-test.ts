/** Groups findings by the test whose request shows them: its client says which one it is, in a header. */
import { type CheckResult, type Conformance, type Exchange, SUSPECTED } from '../contracts/record.ts';
import { cut } from './text.ts';

/** The header in which a client names the test that makes a request, percent-encoded where the name is not ASCII. */
const TEST = 'conformance-test';
/** Characters up to which the name of a test is shown. */
const LONGEST = 200;
/** `traceparent` of W3C Trace Context: a test that is traced is one trace. */
const TRACE = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/;

/** What the requests of one test show. */
export interface TestFindings {
  test: string;
  findings: { requirement: string; message: string; exchanges: string[] }[];
}

/** A finding that is not told with the exchange itself, but with the check that several exchanges fail. */
interface Shown {
  requirement: string;
  message: string;
}

/** Takes in the exchanges of a record, in any order. */
export class ByTest {
  readonly #failed: ReadonlySet<string>;
  /** What checks find, by the exchange that shows it. */
  readonly #shown: ReadonlyMap<string, readonly Shown[]>;
  readonly #tests = new Map<string, Map<string, TestFindings['findings'][number]>>();

  constructor({ requirements }: Pick<Conformance, 'requirements'>) {
    const found = requirements.filter(({ inScope, reason, verdict }) => inScope && isFinding({ verdict, reason }));
    this.#failed = new Set(found.map(({ id }) => id));
    const shown = found.flatMap(({ id, checks }) =>
      checks
        .filter(({ verdict, message }) => isFinding({ verdict, reason: message }))
        .flatMap((check) => {
          const exchange = check.shownBy ?? check.exchanges.at(-1);
          return exchange === undefined ? [] : [{ exchange, requirement: id, message: check.message }];
        }),
    );
    this.#shown = Map.groupBy(shown, ({ exchange }) => exchange);
  }

  /** Takes in an exchange. */
  note(exchange: Exchange): void {
    const test = testOf(exchange);
    if (test === undefined) return;
    const own = exchange.findings ?? [];
    const isOwn = ({ requirement }: Shown) => own.some((one) => one.requirement === requirement);
    const others = (this.#shown.get(exchange.id) ?? []).filter((one) => !isOwn(one));
    for (const { requirement, message } of [...own, ...others]) {
      if (!this.#failed.has(requirement)) continue;
      const findings = this.#tests.get(test) ?? new Map();
      this.#tests.set(test, findings);
      const finding = findings.get(requirement) ?? { requirement, message, exchanges: [] };
      findings.set(requirement, finding);
      finding.exchanges.push(exchange.id);
    }
  }

  /** The tests whose requests show something, those that show the most first. */
  get findings(): TestFindings[] {
    return [...this.#tests]
      .map(([test, findings]) => ({ test, findings: [...findings.values()] }))
      .toSorted((a, b) => b.findings.length - a.findings.length);
  }
}

/** Whether something failed, or is suspected. */
const isFinding = ({ verdict, reason }: Pick<CheckResult, 'verdict'> & { reason: string }): boolean =>
  verdict === 'failed' || (verdict === 'inconclusive' && reason.startsWith(SUSPECTED));

/** The test that made a request, by its name or its trace; undefined where the request does not say it. */
function testOf({ request: { headers } }: Exchange): string | undefined {
  const valueIn = (name: string) => {
    const [, value] = Object.entries(headers).find(([one]) => one.toLowerCase() === name) ?? [];
    return [value ?? ''].flat().join(', ').trim();
  };
  const name = decoded(valueIn(TEST));
  if (name !== '') return cut(name, LONGEST);
  const [, trace] = TRACE.exec(valueIn('traceparent')) ?? [];
  return trace && `trace ${trace}`;
}

/** A text without its percent-encoding; as it is where it has none. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
