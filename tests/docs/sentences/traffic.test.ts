import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { judge } from '../../../cli/judge.ts';
import { report } from '../../../cli/report.ts';
import { inProcess } from '../../tools/in-process.ts';
import { serve } from '../../tools/servers.ts';
import { ran, recordIn, tries } from './trial.ts';

tries('docs/traffic.md', [
  [
    'Nothing is sent to the target for it.',
    async () => {
      let requests = 0;
      const address = await serve((_, response) => {
        requests++;
        response.end();
      });
      const { reports, directory } = await ran('cards.get.status');
      const environment = { TARGET_BASE_URL: address, TARGET_ACCESS_TOKEN: 'token' };
      const given = [reports, '--report-dir', 'judged'];
      const { code, stdout } = await inProcess(judge, given, environment, directory);
      expect({ code, requests }, stdout).toEqual({ code: 2, requests: 0 });
    },
  ],
  [
    'The report is that of a run: page, summary, JUnit, known failures, baseline, history, exit codes.',
    async () => {
      const { reports, directory } = await ran('cards.get.status');
      const { code } = await inProcess(judge, [reports, '--report-dir', 'judged'], {}, directory);
      expect({ code, ...recordIn(join(directory, 'judged')).run }).toMatchObject({ code: 0, source: 'recording' });
      const written = readdirSync(join(directory, 'judged'));
      expect(readdirSync(reports).filter((name) => !written.includes(name))).toEqual([]);
    },
  ],
  [
    'JUnit, one file for each operation: TEST-cards.get.xml',
    async () => {
      const { reports, directory } = await ran('cards.get,users.get');
      await inProcess(report, [reports, '--junit', 'junit/'], {}, directory);
      const written = readdirSync(join(directory, 'junit'));
      for (const operation of ['cards.get', 'users.get']) expect(written).toContain(`TEST-${operation}.xml`);
    },
  ],
]);
