/** The reporter for plain vitest: writes the record and all reports at the end of each run. */
import type { RuntimeMessage } from 'allure-js-commons/sdk';
import type { SerializedError } from 'vitest';
import type { TestModule, Vitest } from 'vitest/node';
import { requirementById } from '../../contracts/requirements/index.ts';
import { allureMessages, evidenceOf } from '../../reports/allure.ts';
import { exchangesById } from '../../reports/record.ts';
import { finish } from '../finish.ts';
import { RunCollector } from './collector.ts';

export default class ConformanceReporter extends RunCollector {
  #hasAllure = false;

  override onInit(vitest: Vitest): void {
    super.onInit(vitest);
    this.#hasAllure = vitest.config.reporters.some(
      (reporter) => Array.isArray(reporter) && reporter[0].startsWith('allure-vitest'),
    );
  }

  onTestModuleEnd(module: TestModule): void {
    if (module.project.name === 'conformance' && this.#hasAllure) describeForAllure(module);
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const module = modules.find(({ project }) => project.name === 'conformance');
    if (!module) return;
    const { configuration } = module.project.getProvidedContext();
    finish(configuration, this.findings(configuration, errors));
    // A pattern that matches no check may be meant for other tests.
    if (this.isNothingSelected && modules.every((one) => one.state() === 'skipped')) process.exitCode = 1;
  }
}

/** Adds labels and steps where Allure's reporter expects what its API leaves there from inside tests. */
function describeForAllure(module: TestModule): void {
  const { configuration } = module.project.getProvidedContext();
  const tests = [...module.children.allTests()].flatMap((test) => {
    const { outcome } = test.meta();
    return outcome ? [{ meta: test.meta() as { allureRuntimeMessages?: RuntimeMessage[] }, outcome }] : [];
  });
  const cited = tests.flatMap(({ outcome }) => evidenceOf(outcome));
  const exchanges = exchangesById(configuration.run.reportDir, cited);
  for (const { meta, outcome } of tests) {
    const evidence = evidenceOf(outcome).flatMap((id) => exchanges.get(id) ?? []);
    meta.allureRuntimeMessages = allureMessages(requirementById(outcome.requirement), evidence);
  }
}
