/**
 * A recorded run as tests of vitest, for the reporter of Allure: one test per check, with the verdict that the record holds.
 * Run by `npm run report:allure`; it asserts nothing of its own.
 */
import * as allure from 'allure-js-commons';
import { describe, expect, inject, test } from 'vitest';
import type { CheckResult, Exchange, RequirementResult } from '../../contracts/record.ts';
import { readRecord } from '../record.ts';

declare module 'vitest' {
  interface ProvidedContext {
    recordDirectory: string;
  }
}

/** Exchanges shown as steps: of a check that was not kept, and of one that was. */
const MOST_STEPS = { notKept: 25, kept: 2 };

const { conformance, exchanges } = readRecord(inject('recordDirectory'));
const wanted = new Set(conformance.requirements.flatMap(({ checks }) => checks.flatMap(evidence)));
const byId = new Map<string, Exchange>();
for (const exchange of exchanges()) if (wanted.has(exchange.id)) byId.set(exchange.id, exchange);

/** Evidence of a check: the last exchanges, which decided. */
function evidence({ verdict, exchanges }: CheckResult): string[] {
  return exchanges.slice(verdict === 'passed' ? -MOST_STEPS.kept : -MOST_STEPS.notKept);
}

async function label(requirement: RequirementResult): Promise<void> {
  const { id, level, text, source, operations } = requirement;
  await allure.epic(source.document);
  await allure.feature(id.split('.')[0]!);
  for (const operation of operations) await allure.story(operation);
  await allure.severity(level === 'must' ? 'critical' : 'minor');
  await allure.tag(level);
  await allure.label('requirement', id);
  await allure.link(`#${id}`, `requirement ${id}`, 'requirement');
  await allure.link(`#${source.section}`, `${source.document}, ${source.section}`, 'section');
  await allure.description(`${text}\n\nSource: ${source.document}, ${source.section}`);
}

async function step(exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const outcome = response ? `status ${response.status}` : (exchange.error?.kind ?? 'no answer');
  await allure.step(
    `${exchange.operation}: ${request.method} ${outcome} in ${Math.round(exchange.durationMs)} ms`,
    async () => {
      await allure.attachment('exchange', JSON.stringify(exchange, null, 2), 'application/json');
    },
  );
}

/** Fails as the record says; the words at the beginning of the message are what categories go by. */
function failAs(requirement: RequirementResult, { message, difference }: CheckResult): never {
  const kind = requirement.known?.state === 'known' ? `known (${requirement.known.reason})` : requirement.level;
  const compared = difference ? `\nexpected: ${difference.expected}\nactual: ${difference.actual}` : '';
  return expect.fail(`${kind}: ${message}${compared}`);
}

describe('conformance', () => {
  for (const requirement of conformance.requirements)
    for (const check of requirement.checks)
      test(`${requirement.id}: ${check.name}`, async ({ skip }) => {
        await label(requirement);
        for (const id of evidence(check)) {
          const exchange = byId.get(id);
          if (exchange) await step(exchange);
        }
        if (check.verdict === 'failed') failAs(requirement, check);
        if (check.verdict !== 'passed') skip(`${check.verdict}: ${check.message}`);
      });
});
