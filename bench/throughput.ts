/** (c) Checked requests per second, beside other tools that make the same requests with comparable assertions. */
import { measure, rounded, startTarget } from './processes.ts';

const COUNT = 1000;
const CONTENDERS = ['plain', 'suite', 'newman', 'verifier'] as const;

export interface Throughput {
  /** Requests of each contender. */
  count: number;
  perSecond: Record<(typeof CONTENDERS)[number], number>;
  timesNewman: number;
  timesVerifier: number;
  ofPlain: number;
}

export async function throughput(): Promise<Throughput> {
  const target = await startTarget();
  try {
    const perSecond = {} as Throughput['perSecond'];
    for (const contender of CONTENDERS) perSecond[contender] = await perSecondOf(contender, target);
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

async function perSecondOf(contender: string, { environment, fixtures }: Awaited<ReturnType<typeof startTarget>>) {
  const { out } = await measure([`bench/contenders/${contender}.ts`, String(COUNT)], {
    ...environment,
    TARGET_FIXTURES: fixtures,
  });
  const { perSecond } = JSON.parse(out.trim().split('\n').at(-1)!) as { perSecond: number };
  return rounded(perSecond);
}
