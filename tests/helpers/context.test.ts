import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import { Context } from '../../helpers/context.ts';
import { Recorder } from '../../helpers/evidence/recorder.ts';
import { Run } from '../../helpers/run.ts';
import { Direct } from '../../proof/selfcheck/direct.ts';
import { sandboxOf } from '../../proof/selfcheck/prove.ts';
import { pointAt } from '../../run/target.ts';

/** How long a request waits for its turn, in milliseconds. */
const WAITING_MS = 200;

test('what may have changed has the settle time from the answer on, however long the request waited for its turn', async () => {
  const sandbox = sandboxOf({});
  const configuration = pointAt(
    await readConfiguration({ env: {}, options: { embedded: 'true' }, cwd: tmpdir() }),
    sandbox,
  );
  const dispatcher = new Direct({
    async respond(request) {
      await sleep(WAITING_MS);
      return sandbox.unserved.respond(request);
    },
  });
  const run = new Run(configuration, [], { recorder: new Recorder(undefined), dispatcher });
  const [identifier] = configuration.fixtures.cards!.active as [string];
  await new Context(run, 'a test').call('cards.suspend', { path: { identifier } }, { intent: 'refusable' });
  expect(run.history.sinceChange([identifier])).toBeLessThan(WAITING_MS);
  await run.close();
});

test('what is out of scope needs nothing to be sent, whatever is selected', async () => {
  const options = { embedded: 'true' };
  const configuration = pointAt(await readConfiguration({ env: {}, options, cwd: tmpdir() }), sandboxOf({}));
  configuration.target.operations = ['-portal.login'];
  const run = new Run(configuration, [], { recorder: new Recorder(undefined) });
  const t = new Context(run, 'a test');
  expect(t.needs('portal.login.unknown-login-id')).toBe(false);
  expect(t.needs('portal.login.unknown-login-id', 'portal.logout.ends-session')).toBe(true);
  await run.close();
});

test('an order is not sent by a run whose risk forbids it; one that must be refused is', async () => {
  const options = { embedded: 'true' };
  const sandbox = sandboxOf({});
  const configuration = pointAt(await readConfiguration({ env: {}, options, cwd: tmpdir() }), sandbox);
  configuration.run.risk = 'reversible';
  const run = new Run(configuration, [], {
    recorder: new Recorder(undefined),
    dispatcher: new Direct(sandbox.unserved),
  });
  const t = new Context(run, 'a test');
  const order = (intent: 'refusable' | 'malformed') => t.call('portal.orderCards', { json: {} }, { intent });
  await expect(order('refusable')).rejects.toThrow('needs RUN_RISK=irreversible');
  expect((await order('malformed')).status).toBe(400);
  await run.close();
});
