/** (c) Measures checked requests per second, beside other tools with the same requests and comparable assertions. */
import { measure, median, rounded, startTarget, type Target } from './processes.ts';

const COUNT = 1000;
/** Number of alternating rounds: the target, too, becomes faster with use. */
const TIMES = 3;
const CONTENDERS = ['plain', 'suite', 'newman', 'verifier'] as const;
type Contender = (typeof CONTENDERS)[number];

export interface Throughput {
  /** Number of requests of each contender. */
  count: number;
  perSecond: Record<Contender, number>;
  timesNewman: number;
  timesVerifier: number;
  ofPlain: number;
}

export async function throughput(): Promise<Throughput> {
  const target = await startTarget();
  try {
    const rounds: Throughput['perSecond'][] = [];
    for (let i = 0; i < TIMES; i++) rounds.push(await perSecondOfAll(target));
    const of = (contender: Contender) => median(rounds.map((round) => round[contender]));
    const perSecond = { plain: of('plain'), suite: of('suite'), newman: of('newman'), verifier: of('verifier') };
    const { plain, suite, newman, verifier } = perSecond;
    return {
      count: COUNT,
      perSecond,
      timesNewman: rounded(suite / newman, 1),
      timesVerifier: rounded(suite / verifier, 1),
      ofPlain: rounded(suite / plain, 2),
    };
  } finally {
    await target.close();
  }
}

async function perSecondOfAll(target: Target): Promise<Throughput['perSecond']> {
  const perSecond = {} as Throughput['perSecond'];
  for (const contender of CONTENDERS) perSecond[contender] = await perSecondOf(contender, target);
  return perSecond;
}

async function perSecondOf(contender: Contender, { environment, fixtures }: Target) {
  const { out } = await measure([`bench/contenders/${contender}.ts`, String(COUNT)], {
    ...environment,
    TARGET_FIXTURES: fixtures,
  });
  const { perSecond } = JSON.parse(out.trim().split('\n').at(-1)!) as { perSecond: number };
  return rounded(perSecond);
}
