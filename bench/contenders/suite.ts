import { defineSuite } from '../../helpers/check.ts';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import { expectSuccess } from '../../helpers/expect.ts';
import { Run } from '../../helpers/run.ts';
import { reach } from '../../helpers/runner/reach.ts';
import { runSuite } from '../../helpers/runner/schedule.ts';
import { temporaryDirectory } from '../processes.ts';
import { report, task } from './contender.ts';

const { requests } = await task();
const directory = temporaryDirectory();
const configuration = await readConfiguration({
  env: process.env,
  options: { 'report-dir': directory.path },
  cwd: directory.path,
});
const { check, suite } = defineSuite();
for (const [i, { operation, pathParameters, query }] of requests.entries())
  check('users.list.max-accepted', `request ${i}`, async (t) => {
    expectSuccess(await t.call(operation, { path: pathParameters, query }));
  });
const run = new Run(configuration, []);
await reach(run);
await report(requests.length, async () => {
  const outcomes = await runSuite(run, suite);
  const broken = outcomes.filter(({ verdict }) => verdict === 'failed');
  return broken.length > 0
    ? 0
    : outcomes.filter(({ requirement, verdict }) => requirement === 'users.list.max-accepted' && verdict === 'passed')
        .length;
});
await run.close();
directory.remove();
