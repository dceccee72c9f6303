/** Fields of the token request, of which every one is optional in the document: what a request without one gets is observed (reading 16). */
import { requirementById } from '../../../contracts/requirements/index.ts';
import { defineSuite } from '../../../helpers/check.ts';
import { isSelected, operationInScope } from '../../../helpers/configuration/scope.ts';
import { rotated } from '../../../helpers/rotation.ts';
import { outcomeInWords } from '../../shared/observed.ts';

const { afterwards, suite } = defineSuite();
export const tokenRequestFieldsSuite = suite;

const FIELDS = ['grant_type', 'scope', 'client_id', 'client_secret'] as const;

/** Requests for a token that lack a field, or have another one, in one run. */
const FIELDS_PER_RUN = 2;

afterwards('token.issue', async (t) => {
  const { configuration } = t.run;
  const isMeant = isSelected(configuration, requirementById('token.issue.status'));
  if (!isMeant || !operationInScope(configuration, 'token.issue')) return;
  const form = t.run.tokenForm();
  const asked = [
    ...FIELDS.filter((name) => form[name] !== undefined).map((name) => ({
      subject: `a request without ${name}`,
      form: { ...form, [name]: undefined },
    })),
    { subject: 'a request for another scope', form: { ...form, scope: t.unique('no-such-scope') } },
  ];
  await Promise.all(
    rotated(t.run, 'token.issue: fields', asked, FIELDS_PER_RUN, ({ subject }) => subject).map(
      async ({ subject, form }) => {
        const answer = await t.call('token.issue', { form }, { intent: 'refusable' });
        t.observe('token.issue', subject, outcomeInWords(answer));
      },
    ),
  );
});
