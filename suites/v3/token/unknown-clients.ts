/** Who is not known, or doesn't know the secret, gets no token. */
import { type Answer, member } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import { lookAlikes } from '../../../helpers/engine/forms/look-alikes.ts';
import { judged } from '../../../helpers/engine/monitor.ts';
import type { Shown } from '../../../helpers/evidence/monitor.ts';
import { expectRefused } from '../../../helpers/expect.ts';
import { attempt, fail } from '../../../helpers/verdict.ts';
import { monitored } from '../../declare.ts';

/** Who is not known gets no token. A refusal may have the members of a success, without a value. */
function* givesNoToken(history: readonly Answer[]): Generator<Shown> {
  for (const answer of history)
    if (answer.operation.id === 'token.issue' && answer.wrong)
      yield judged([answer], () => {
        const what = `a request with ${answer.wrong!.what}`;
        if (member(answer, 'access_token'))
          fail(`${what} gets a token`, 'no access_token', 'access_token', { in: answer });
        expectRefused(answer, what);
      });
}

/** Asks for a token with something in the request that is nobody's. */
const askAs = (t: Context, nobody: Record<string, string>, what: string) =>
  t.call('token.issue', { form: { ...t.run.tokenForm(), ...nobody } }, { intent: 'unauthorised', wrong: { what } });

/** Numbers of wrong secrets and unknown clients per run: a target may lock a client after some. */
const SECRETS = { count: 3 };
const CLIENTS = { count: 2 };

// At the end, for a target may lock the client.
monitored('token.issue.wrong-secret-refused', givesNoToken)(
  'secrets that resemble the right one',
  { phase: 'end' },
  async (t) => {
    const secret = t.run.configuration.target.clientSecret ?? '';
    await attempt(() => t.run.client.tokens.current());
    for (const { name, text } of t.rotated('token.issue: wrong secrets', lookAlikes('secret', secret), SECRETS)) {
      t.run.redactor.learn(text, 'WRONG_CLIENT_SECRET');
      await askAs(t, { client_secret: text }, `the client_secret ${name}`);
    }
  },
);

monitored('token.issue.unknown-client-refused', givesNoToken)(
  'invented, or what resembles that of the run',
  { phase: 'end' },
  async (t) => {
    const { client_id: known = '' } = t.run.tokenForm();
    const forms = [{ name: 'that is invented', text: t.unique('unknown-client') }, ...lookAlikes('clientId', known)];
    for (const { name, text } of t.rotated('token.issue: unknown clients', forms, CLIENTS))
      await askAs(t, { client_id: text }, `a client_id ${name}`);
  },
);
