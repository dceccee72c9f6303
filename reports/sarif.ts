/** Writes SARIF 2.1.0, which code hosts show beside their own findings: what failed, or is suspected, with its request and answer. */
import { relative, sep } from 'node:path';
import { type Exchange, type RequirementResult, SUSPECTED } from '../contracts/record.ts';
import { writeFileJson } from '../files/json.ts';
import { outcomeOf } from './build-outcome.ts';
import { decidingExchange } from './deciding.ts';
import { cut, visible } from './text.ts';
import { isKnownFailure } from './verdicts.ts';
import type { View } from './view.ts';

const LONGEST = 2000;

/** The file in which results are found: code hosts show nothing without one. */
export interface RecordFile {
  path: string;
  text: string;
}

/**
 * The record as SARIF.
 * @param file the record, in which a result is found at the line of its requirement
 */
export function sarif(view: View, { path, text }: RecordFile): string {
  const { suite, run, requirements, target } = view.conformance;
  const lines = text.split('\n').map((line) => line.trim());
  const uri = encodeURI(relative('.', path).split(sep).join('/'));
  const found = requirements.filter(isResult);
  const results = found.map((requirement, ruleIndex) => {
    const startLine = 1 + Math.max(0, lines.indexOf(`"id": ${JSON.stringify(requirement.id)},`));
    const physicalLocation = { artifactLocation: { uri }, region: { startLine } };
    return { ...resultOf(requirement, view), ruleIndex, locations: [{ physicalLocation }] };
  });
  const driver = { name: suite.name, version: suite.version, rules: found.map(ruleOf) };
  return `${writeFileJson(
    {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: { driver },
          automationDetails: { id: `${suite.name}/${visible(target.name)}/` },
          invocations: [{ executionSuccessful: run.complete, startTimeUtc: run.startedAt, endTimeUtc: run.finishedAt }],
          results,
        },
      ],
    },
    1,
  )}\n`;
}

const isSuspected = ({ verdict, reason }: RequirementResult): boolean =>
  verdict === 'inconclusive' && reason.startsWith(SUSPECTED);

/** Whether it is to be shown: it failed, is suspected, or its known failure passes now. */
const isResult = (requirement: RequirementResult): boolean =>
  requirement.inScope &&
  (requirement.verdict === 'failed' || isSuspected(requirement) || outcomeOf(requirement)?.element === 'failure');

const ruleOf = ({ id, text, source }: RequirementResult) => ({
  id,
  shortDescription: messageOf(text),
  help: messageOf(`${source.document}, section “${source.section}”`),
});

function resultOf(requirement: RequirementResult, { evidence }: View) {
  const { id, level, known, checks, reason } = requirement;
  const failed = checks.find(({ verdict }) => verdict === 'failed');
  const shown = failed && decidingExchange(requirement, failed, evidence);
  const ofMust = isSuspected(requirement) ? 'warning' : 'error';
  const message = outcomeOf(requirement)?.element === 'failure' ? outcomeOf(requirement)!.message : reason;
  return {
    ruleId: id,
    level: level === 'should' ? 'note' : ofMust,
    message: messageOf(message),
    partialFingerprints: { requirement: id },
    ...(isKnownFailure(requirement) && {
      suppressions: [{ kind: 'external', justification: visible(`${known?.reason}`) }],
    }),
    ...(shown && exchangeOf(shown)),
  };
}

/** A text in which nothing is a link (SARIF 2.1.0 section 3.11.6). */
const messageOf = (text: string) => ({ text: cut(visible(text), LONGEST).replace(/[\\[\]]/g, '\\$&') });

function exchangeOf({ request, response }: Exchange) {
  const { method, url, body } = request;
  return {
    webRequest: { method, target: url, headers: flat(request.headers), ...(body !== null && { body: { text: body } }) },
    ...(response && {
      webResponse: {
        statusCode: response.status,
        headers: flat(response.headers),
        ...(response.body !== null && { body: { text: response.body } }),
      },
    }),
  };
}

const flat = (headers: Exchange['request']['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]));
