/** Worker process: tries the mutants that its parent sends, one after the other. */
import { readFileSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import type { Verdict } from '../../contracts/record.ts';
import { requirementById, requirements } from '../../contracts/requirements/index.ts';
import { NOWHERE } from '../selfcheck/direct.ts';
import { answerParent } from '../selfcheck/pool.ts';
import { condemns, runSuite } from '../selfcheck/run-suite.ts';
import type { Conducted } from '../selfcheck/unwritten-run.ts';
import { loadCopy, recordingOf, type Subject, subjects } from './build.ts';
import { differencesOf, keeping, type Played, playSound, type Sound } from './replay.ts';
import { installRuntime } from './runtime.ts';

/** A mutant to try; 0 is the sound target, of which runs are recorded. */
export interface Trial {
  subject: Subject['name'];
  number: number;
  /** Whether the mutant takes effect when its module is loaded. */
  atLoad: boolean;
}

/** A run's verdict on a target. */
interface Judged {
  /** Must requirements that failed before the run ended. */
  killedBy: string[];
  /** Whether none failed but some were blocked for want of an answer: the run is incomplete, and so not passed. */
  incomplete: boolean;
  /** Must requirements that are inconclusive or skipped. */
  undecided: string[];
}

/** The result of a trial. */
export interface Tried extends Judged {
  number: number;
  /** In what its answers differ from those of the sound target. */
  differences: string[];
  /** Why there is no verdict: the target did not start, hung, or crashed the process. */
  broke?: string;
  /** Of the sound target, numbers of the mutants that the recorded run reached. */
  reached?: number[];
}

/** Number of operations whose checks are tried alone first. */
const FEW = 6;

const NO_VERDICT: Judged = { killedBy: [], incomplete: false, undecided: [] };

/** So many consecutive seeds try all wrong passwords, of which a run tries one, even a thorough one. */
const PASSWORDS = 10;

/** Judges the sound target, and records what runs ask it that try all forms. */
async function record(subject: Subject): Promise<Tried> {
  const make = await loadCopy(subject);
  const requests: Played[] = [];
  const target = keeping(make(), requests);
  const runs = [await runSuite(target, { thorough: true })];
  for (let seed = 1; seed <= PASSWORDS; seed++)
    runs.push(await runSuite(target, { only: ['portal.login.wrong-password'], seed }));
  const keyOf = (method: string, url: string) => `${method} ${new URL(url, NOWHERE).href}`;
  const called = new Map(
    runs.flatMap(({ exchanges }) =>
      exchanges.map(({ request, operation }) => [keyOf(request.method, request.url), operation]),
    ),
  );
  for (const request of requests) request.operation = called.get(keyOf(request.method, request.url));
  writeFileSync(recordingOf(subject), serialize(requests));
  const verdict = judged(await runSuite(make()));
  const killedBy = [...verdict.killedBy, ...runs.flatMap((run) => judged(run).killedBy)];
  return { number: 0, differences: [], ...verdict, killedBy, reached: [...globalThis.__reached] };
}

const sounds = new Map<Subject, Sound>();

/** What the sound target answers in the recorded run. */
async function soundOf(subject: Subject): Promise<Sound> {
  const recorded = () => deserialize(readFileSync(recordingOf(subject)));
  const sound = sounds.get(subject) ?? (await playSound(await loadCopy(subject), recorded()));
  sounds.set(subject, sound);
  return sound;
}

/** Tries a mutant. Where its answers are those of the sound target, so is the verdict. */
async function attempt(subject: Subject, { number, atLoad }: Trial): Promise<Tried> {
  const sound = await soundOf(subject);
  globalThis.__mutant = atLoad ? number : 0;
  const make = await loadCopy(subject, globalThis.__mutant);
  globalThis.__mutant = number;
  const differences = await differencesOf(make, sound);
  if (differences.length === 0) return { number, differences, ...NO_VERDICT };
  const judge = async (options: Parameters<typeof runSuite>[1]) =>
    judged(await runSuite(make(), { untilCondemned: true, ...options }));
  // What differs in few operations is condemned by all forms of their checks, mostly, which cost a fraction of a whole run.
  const ids = new Set(differences.map((difference) => difference.split(/[ ?]/, 1)[0]!));
  const only = [...ids].filter((id) => requirements.some((one) => one.id.startsWith(`${id}.`)));
  const near = only.length > 0 && only.length <= FEW ? await judge({ only, thorough: true }) : NO_VERDICT;
  return { number, differences, ...(near.killedBy.length > 0 ? near : await judge({})) };
}

function judged({ outcomes }: Conducted): Judged {
  const killedBy = [...new Set(outcomes.filter(condemns).map(({ requirement }) => requirement))];
  const withVerdict = (...verdicts: Verdict[]) => outcomes.filter(({ verdict }) => verdicts.includes(verdict));
  const undecided = new Set(withVerdict('inconclusive', 'skipped').map(({ requirement }) => requirement));
  return {
    killedBy,
    incomplete: killedBy.length === 0 && withVerdict('blocked').length > 0,
    undecided: [...undecided].filter((id) => requirementById(id).level === 'must'),
  };
}

installRuntime();
// Refusals are thrown, and nobody reads where.
Error.stackTraceLimit = 0;
// Broken targets cause endless warnings.
process.removeAllListeners('warning');
answerParent(async (trial: Trial): Promise<Tried> => {
  const subject = subjects.find(({ name }) => name === trial.subject)!;
  try {
    return await (trial.number === 0 ? record(subject) : attempt(subject, trial));
  } catch (error) {
    const broke = (error as Error).message;
    return { number: trial.number, differences: [], ...NO_VERDICT, incomplete: true, broke };
  } finally {
    globalThis.__mutant = 0;
  }
});
