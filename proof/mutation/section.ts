/** The section of docs/trust.md about unforeseen faults: the mutation scores. */
import { percentKilled, type Score } from './score.ts';

/** The text of the section. */
export function mutationSection(scores: readonly Score[]): string {
  return [
    '## What nobody foresaw',
    '',
    'The source of the sandbox, and of a second target that was written from the documents alone, is changed in one place at a time: a condition',
    'dropped or negated, a comparison weakened, a write forgotten. `npm run mutate` asks each mutant what runs ask that try all forms, and judges those that',
    'answer other than the sound target. What nobody asks for shows in no answer, and counts as no difference. It fails where one survives and no class of `proof/mutation/survivors.ts` explains in what it differs. The score',
    'is the share of those that break a must and get a verdict: where a target refuses everything of a kind, the right requests too, its musts are',
    'inconclusive, which the run says.',
    '',
    '| source | reached | condemned | crash or hang: not conformant | no difference | no must broken | inconclusive | missed | score |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...scores.map(
      (score) =>
        `| ${score.subject} | ${score.reached} | ${score.killed} | ${score.incomplete} | ${score.same} | ${score.explained.free} | ${score.explained.undecided} | ${score.explained.missed + score.unexplained.length} | ${percentKilled(score)} % |`,
    ),
  ].join('\n');
}
