/** A run as an in-toto Statement with the predicate of test results, for a pipeline to sign. */
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Conformance, RequirementResult } from '../contracts/record.ts';
import type { Digests } from './dossier/digests.ts';
import { RecordError, type RunRecord } from './record.ts';

/** https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md */
const STATEMENT = 'https://in-toto.io/Statement/v1';
/** https://github.com/in-toto/attestation/blob/main/spec/predicates/test-result.md */
export const TEST_RESULT = 'https://in-toto.io/attestation/test-result/v0.1';

/** Something by its name and digest, as in-toto describes resources. */
interface Resource {
  name: string;
  uri?: string;
  digest: { sha256: string };
  annotations?: Record<string, unknown>;
}

/** An in-toto Statement about the files of a record. */
export interface Statement {
  _type: typeof STATEMENT;
  /** The files of the record: an implementation behind an address has no digest. */
  subject: Resource[];
  predicateType: typeof TEST_RESULT;
  predicate: {
    result: 'PASSED' | 'WARNED' | 'FAILED';
    /** The catalogue and the suite, with what was asked of which target. */
    configuration: Resource[];
    url?: string;
    /** Ids of requirements. Those that nothing was seen of are in no list. */
    passedTests: string[];
    warnedTests: string[];
    failedTests: string[];
  };
}

/**
 * The statement of a run.
 * @param options.url where its page can be read
 * @param options.dossier the dossier that goes with it: its name and its digest
 * @throws RecordError when another version of the suite judged it, whose digests are not known here
 */
export function attestation(
  { path, conformance }: RunRecord,
  digests: Digests,
  { url, dossier }: { url?: string | undefined; dossier?: { file: string; sha256: string } | undefined } = {},
): Statement {
  const { catalogue, suite, files } = digests;
  if (catalogue === undefined)
    throw new RecordError(
      `${path}: was judged by ${conformance.suite.name} ${conformance.suite.version} with another catalogue; attest it with that version`,
    );
  const all = Object.entries(files).map(([name, sha256]) => ({ name, digest: { sha256 } }));
  return {
    _type: STATEMENT,
    subject: [...all, ...(dossier ? [{ name: basename(dossier.file), digest: { sha256: dossier.sha256 } }] : [])],
    predicateType: TEST_RESULT,
    predicate: {
      result: resultOf(conformance.summary),
      configuration: [{ name: 'catalogue', digest: { sha256: catalogue } }, suiteOf(conformance, suite)],
      ...(url !== undefined && { url }),
      ...testsOf(conformance.requirements),
    },
  };
}

/** PASSED only where everything in scope was seen and kept: what was not seen is a warning, and an incomplete run shows nothing. */
function resultOf({ verdict, partial, should }: Conformance['summary']): Statement['predicate']['result'] {
  if (verdict !== 'conformant') return 'FAILED';
  return partial || should.failed + should.knownFailed > 0 ? 'WARNED' : 'PASSED';
}

function suiteOf({ suite, target, run, summary }: Conformance, digest: string): Resource {
  return {
    name: suite.name,
    uri: `pkg:npm/${suite.name}@${suite.version}`,
    digest: { sha256: digest },
    annotations: {
      target: `${target.name} ${target.version}`.trim(),
      startedAt: run.startedAt,
      source: run.source ?? 'target',
      risk: run.risk,
      selection: run.selection,
      seed: run.seed,
      verdict: summary.verdict,
      partial: summary.partial,
    },
  };
}

function testsOf(requirements: readonly RequirementResult[]) {
  const inScope = requirements.filter((one) => one.inScope);
  const idsOf = (choose: (one: RequirementResult) => boolean) => inScope.filter(choose).map(({ id }) => id);
  return {
    passedTests: idsOf(({ verdict }) => verdict === 'passed'),
    warnedTests: idsOf(({ verdict, level }) => verdict === 'failed' && level === 'should'),
    failedTests: idsOf(({ verdict, level }) => verdict === 'failed' && level === 'must'),
  };
}

/**
 * In what a statement disagrees with a record, one sentence each.
 * @param text the statement; a signature around it was verified by what made it
 * @throws RecordError when it is no statement of test results
 */
export function statementFaults(text: string, record: RunRecord, digests: Digests): string[] {
  const stated = statementIn(text);
  const own = attestation(record, digests);
  const digestOf = new Map(stated.subject.map(({ name, digest }) => [name, digest.sha256]));
  const files = own.subject
    .filter(({ name, digest }) => digestOf.get(name) !== digest.sha256)
    .map(({ name }) => `${name}: is not the file that the statement is about`);
  const { url: _, ...predicate } = stated.predicate;
  const isSame = isDeepStrictEqual(predicate, own.predicate);
  return [
    ...files,
    ...(isSame ? [] : ['statement: its result does not follow from the record, or another suite made it']),
  ];
}

function statementIn(text: string): Statement {
  try {
    const statement = JSON.parse(text) as Statement;
    if (statement._type === STATEMENT && statement.predicateType === TEST_RESULT && Array.isArray(statement.subject))
      return statement;
  } catch {
    // Told below.
  }
  throw new RecordError('--statement: is not an in-toto Statement of test results');
}
