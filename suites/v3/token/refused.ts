/** Token requests that get no token: of who is not known, or does not know the secret, or leaves something out. */
import { type Answer, bodyOf, isObject, member, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import { judged } from '../../../helpers/engine/monitor.ts';
import { contradicts } from '../../../helpers/evidence/ledger.ts';
import { expectRefused } from '../../../helpers/expect.ts';
import { fail, optional } from '../../../helpers/verdict.ts';
import { afterwards, everyExchange, monitored } from '../../declare.ts';

// Reading 12: an error object of RFC 6749 and an array of errors are both right.
everyExchange('token.issue.error-response', 'token.issue', (answer) => {
  const { intent, status } = answer;
  if (intent !== 'unauthorised') return undefined;
  if (succeeded(answer)) return { lacks: 'a token request that is refused' };
  if (![400, 401].includes(status))
    return contradicts(`a refused token request is answered with ${status}`, '400 or 401', String(status));
  const body = bodyOf(answer);
  if (typeof member(answer, 'error') === 'string' || (Array.isArray(body) && body.every(isObject))) return 'kept';
  const expected = 'a JSON object with the string error, or an array of errors';
  return contradicts('a refused token request names no error', expected, 'none');
});

/** Who is not known gets no token. A refusal may have the members of a success, without a value. */
function* givesNoToken(history: readonly Answer[]) {
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

// At the end, and few per run: a target may lock the client after some.
const secretRefused = monitored('token.issue.wrong-secret-refused', givesNoToken);
secretRefused('secrets that resemble the right one', { phase: 'end' }, async (t) => {
  const secrets = Forms.lookAlikes(t, 'secret', t.run.configuration.target.clientSecret ?? '');
  await optional(t.run.client.tokens.current());
  for (const { name, text } of t.rotated('token.issue: wrong secrets', secrets, { count: 3 })) {
    t.run.redactor.learn(text, 'WRONG_CLIENT_SECRET');
    await askAs(t, { client_secret: text }, `the client_secret ${name}`);
  }
});

const clientRefused = monitored('token.issue.unknown-client-refused', givesNoToken);
clientRefused('invented, or what resembles that of the run', { phase: 'end' }, async (t) => {
  const { client_id: known = '' } = t.run.tokenForm();
  const forms = [
    { name: 'that is invented', text: t.unique('unknown-client') },
    ...Forms.lookAlikes(t, 'clientId', known),
  ];
  for (const { name, text } of t.rotated('token.issue: unknown clients', forms, { count: 2 }))
    await askAs(t, { client_id: text }, `a client_id ${name}`);
});

// ---- what the documents leave open ------------------------------------------------------------------------------------

afterwards('token.issue', async (t) => {
  const right = t.run.tokenForm();
  const fields = ['grant_type', 'scope', 'client_id', 'client_secret'] as const;
  const given = fields.filter((field) => right[field] !== undefined);
  const forms = [
    ...given.map((field) => ({ name: `a request without ${field}`, form: { ...right, [field]: undefined } })),
    { name: 'a request for another scope', form: { ...right, scope: t.unique('no-such-scope') } },
  ];
  for (const { name, form } of t.rotated('token.issue: fields', forms))
    t.observe('token.issue', name, await t.call('token.issue', { form }, { intent: 'refusable' }));
});

// The authorisation address: the authorizationCode flow needs a person.
afterwards('token.issue', async (t) => {
  const answer = await t.call('token.authorize', {}, { intent: 'refusable' });
  t.observe('token.authorize', 'a request without parameters', answer);
});
