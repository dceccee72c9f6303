/** Fields of the token request, all of them optional in the document: the answer to a request without one is observed (reading 16). */
import { afterwards } from '../../declare.ts';

const FIELDS = ['grant_type', 'scope', 'client_id', 'client_secret'] as const;

afterwards('token.issue', async (t) => {
  if (!t.needs('token.issue.status') || !t.isInScope('token.issue')) return;
  const form = t.run.tokenForm();
  const asked = [
    ...FIELDS.filter((name) => form[name] !== undefined).map((name) => ({
      subject: `a request without ${name}`,
      form: { ...form, [name]: undefined },
    })),
    { subject: 'a request for another scope', form: { ...form, scope: t.unique('no-such-scope') } },
  ];
  for (const { subject, form: asks } of t.rotated('token.issue: fields', asked, { name: (one) => one.subject })) {
    const answer = await t.call('token.issue', { form: asks }, { intent: 'refusable' });
    t.observe('token.issue', subject, answer);
  }
});
