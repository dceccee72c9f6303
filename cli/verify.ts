/** `verify DIR`: judges a record again, and says whether its verdicts follow from the recorded exchanges. */
import { Command } from 'commander';
import { readWholeFile } from '../files/read.ts';
import { statementFaults } from '../reports/attestation.ts';
import { digestsOf } from '../reports/dossier/digests.ts';
import { targetInWords } from '../reports/headline.ts';
import { type RunRecord, readRecord } from '../reports/record.ts';
import { count, cut, dateInWords, some, visible } from '../reports/text.ts';
import { type Claim, type Verification, verify as verifyRecord } from '../run/verify.ts';
import { program } from './command.ts';
import { EXIT_FINDING } from './exit-codes.ts';
import { ProgressLine } from './progress.ts';

/** Number of exchanges after which progress is shown again. */
const PROGRESS_EXCHANGES = 500;
/** Number of faults, and of ids, that are printed. */
const MOST = { faults: 40, ids: 12 };
/** Characters of a fault. */
const LONGEST = 400;

const command = new Command()
  .description(
    'Judges the exchanges of a report directory again, by the catalogue of its version, and says whether every verdict follows from them. Sends nothing. Exits with 1 if one does not.',
  )
  .argument('<dir>', 'report directory')
  .option('--statement <file>', 'in-toto Statement, as report --attest writes it, that the record has to agree with');

export const verify = program('verify', command, async () => {
  const record = readRecord(command.args[0]!);
  const { statement } = command.opts<{ statement?: string }>();
  const signed = statement === undefined ? [] : statementFaults(readWholeFile(statement), record, digestsOf(record));
  const line = new ProgressLine(process.stderr);
  const onExchange = (number: number) => {
    if (number % PROGRESS_EXCHANGES === 0) line.tell(`${number} exchanges`);
  };
  const verification = await verifyRecord(record, onExchange).finally(() => line.clear());
  verification.faults.push(...signed);
  for (const text of linesOf(record, verification)) console.log(text);
  return verification.faults.length === 0 ? 0 : EXIT_FINDING;
});

function linesOf(record: RunRecord, { exchanges, follows, needsRun, unclaimed, faults }: Verification): string[] {
  const { conformance } = record;
  const { suite, run } = conformance;
  const failed = needsRun.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
  return [
    `${targetInWords(conformance)}, ${dateInWords(run.startedAt)}: ${count(exchanges, 'exchange')} judged again by catalogue ${suite.catalogueDigest}`,
    '',
    row(follows.length, `follow from the recorded exchanges${inWords(follows)}`),
    row(needsRun.length, `are claimed by the run, and exchanges alone cannot show them${inWords(needsRun)}`),
    row(unclaimed, 'are claims of nothing: not in scope, not tried, or without a conclusion'),
    row(faults.length, faults.length === 1 ? 'does not hold' : 'do not hold'),
    ...faults.slice(0, MOST.faults).map((fault) => `         ${cut(visible(fault), LONGEST)}`),
    ...(faults.length > MOST.faults ? [`         and ${faults.length - MOST.faults} more`] : []),
    ...(failed.length > 0 ? ['', `Another run or a replay shows again: ${visible(some(failed, MOST.ids))}`] : []),
    '',
    faults.length === 0
      ? 'Nothing in the record contradicts its exchanges.'
      : 'The record does not hold: it was changed, or made by something else than this suite.',
  ];
}

const row = (number: number, text: string): string => `${String(number).padStart(7)}  ${text}`;

function inWords(claims: readonly Claim[]): string {
  const failed = claims.filter(({ verdict }) => verdict === 'failed').length;
  return claims.length === 0 ? '' : `: ${claims.length - failed} passed, ${failed} failed`;
}
