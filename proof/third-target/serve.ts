import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startThirdTarget } from './index.ts';

const { values } = parseArgs({
  options: {
    freedom: { type: 'string', multiple: true },
    fault: { type: 'string', multiple: true },
    'fixtures-file': { type: 'string' },
    port: { type: 'string' },
  },
});

if (!values['fixtures-file']) {
  console.error('serve.ts [--freedom NAME]... [--fault NAME]... [--port N] --fixtures-file FILE');
  process.exit(2);
}

const target = await startThirdTarget({
  freedoms: values.freedom,
  faults: values.fault,
  port: Number(values.port ?? 0),
});
writeFileSync(values['fixtures-file'], `${JSON.stringify(target.fixtures, null, 2)}\n`);
for (const [name, value] of Object.entries(target.env)) console.log(`export ${name}='${value}'`);

const end = () => target.close().then(() => process.exit(0));
process.on('SIGTERM', end);
process.on('SIGINT', end);
setTimeout(end, 15 * 60_000).unref();
