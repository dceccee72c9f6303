/** Permissions of a customer: which bodies are accepted. Nothing readable shows their effect. */
import { type Answer, type Input, succeeded } from '../../../helpers/answer.ts';
import { type Context, scenario } from '../../../helpers/check.ts';
import * as Scope from '../../../helpers/configuration/scope.ts';
import type { Configuration } from '../../../helpers/configuration/types.ts';
import { expectAccepted } from '../../../helpers/engine/acceptance.ts';
import { tryWrongBodies } from '../../../helpers/engine/bodies.ts';
import { NOT_JSON } from '../../../helpers/engine/rows.ts';
import { attempt, inconclusive } from '../../../helpers/verdict.ts';
import { check, everyExchange } from '../../declare.ts';
import * as BadTokens from '../../shared/bad-tokens.ts';
import { sameIdentifier } from '../../shared/identifiers.ts';
import * as UnknownNames from '../../shared/unknown-names.ts';
import * as Known from '../listings/known.ts';

/** Whether a run may change the permissions of a customer. */
function maySet(configuration: Configuration): boolean {
  const { run, fixtures } = configuration;
  const risk = Scope.permissionsRestorable(fixtures) ? 'reversible' : 'irreversible';
  const isGiven = fixtures.users?.writableCustomerIdentifier !== undefined;
  return isGiven && Scope.allows(run.risk, risk) && Scope.operationInScope(configuration, 'users.setPermissions');
}

/** Identifier of the customer whose permissions this run may change; undefined where there is none. */
export const writableCustomer = ({ run, fixtures }: Context): string | undefined =>
  maySet(run.configuration) ? fixtures.users?.writableCustomerIdentifier : undefined;

/** A request that sets the permissions which the fixtures file gives for the customer; it sets none if the file gives none. */
export const permissionsAsTheyAre = ({ fixtures }: Context, identifier: string): Input => ({
  path: { identifier },
  json: fixtures.users?.writableCustomerPermissions ?? {},
});

/** Bodies of undocumented JSON types, and one that is not JSON. */
const WRONG_TYPES = [
  { json: { canSearchLoads: 'true' } },
  { json: { canSearchSpends: 1 } },
  { json: [] },
  { text: NOT_JSON },
];

/** Each permission alone, with a value chosen by the seed, and both with all values. */
function rightMembers(t: Context): { json: unknown }[] {
  const flags = [true, false];
  const either = ['canSearchLoads', 'canSearchSpends'].flatMap((name) => {
    const forms = flags.map((flag) => ({ json: { [name]: flag } }));
    return t.rotated(`permissions: ${name}`, forms, { name: JSON.stringify });
  });
  const both = flags.flatMap((canSearchLoads) =>
    flags.map((canSearchSpends) => ({ json: { canSearchLoads, canSearchSpends } })),
  );
  return [...either, ...both];
}

/** Sends permissions to one customer, with bad tokens and wrong ones first: only changes by the right ones are undone at the end. */
export const permissionChanges = scenario('permissions of a customer', async (t) => {
  const identifier = writableCustomer(t) ?? inconclusive('no permissions may be changed');
  const path = { identifier };
  // A target may have a cool-down or be busy: a valid request is repeated within the settle time.
  const send = async (bodies: Pick<Input, 'json'>[]) => {
    const answers: Answer[] = [];
    for (const body of bodies)
      answers.push(await t.eventually(() => t.call('users.setPermissions', { path, ...body }), succeeded));
    return answers;
  };
  if (t.needs('users.setPermissions.requires-token', 'users.setPermissions.challenge'))
    await attempt(() => BadTokens.tryAll(t, 'users.setPermissions', permissionsAsTheyAre(t, identifier)));
  // A proxy in front of the target may never answer a body that is not JSON.
  const wrong = t.rotated('permissions of wrong types', WRONG_TYPES, { count: 2, name: JSON.stringify });
  await attempt(() => tryWrongBodies(t, 'users.setPermissions', path, wrong));
  const nothing = await send([{ json: {} }]);
  await attempt(() => UnknownNames.tryAll(t, 'users.setPermissions', identifier, { json: {} }));
  return { nothing, members: await send(rightMembers(t)) };
});

/** Expects each set of permissions to be accepted, if only when it is sent again. @param control what is accepted besides */
async function expectEachAccepted(t: Context, answers: readonly Answer[], control?: Input): Promise<void> {
  for (const { input } of answers.filter((answer) => !succeeded(answer))) {
    const what = `permissions ${JSON.stringify(input.json)}`;
    await expectAccepted(t, { operation: 'users.setPermissions', what, input, ...(control && { control }) });
  }
}

check('users.setPermissions.required-only', 'an object without members', async (t) => {
  const { nothing } = await t.shared(permissionChanges);
  if (!nothing.every(succeeded)) await Known.requireKnownCustomer(t, 'writableCustomerIdentifier');
  await expectEachAccepted(t, nothing);
});

check('users.setPermissions.any-members-accepted', 'none, either alone, and both', async (t) => {
  const { nothing, members } = await t.shared(permissionChanges);
  if (![...nothing, ...members].some(succeeded)) await Known.requireKnownCustomer(t, 'writableCustomerIdentifier');
  await expectEachAccepted(t, [...nothing, ...members], nothing.find(succeeded)?.input);
});

check('users.get.required-only', 'a customer whose permissions were set', { applies: maySet }, async (t) => {
  const { nothing, members } = await t.shared(permissionChanges);
  const [accepted] = [...nothing, ...members].filter(succeeded);
  if (!accepted) return;
  const what = 'the request for a customer whose permissions were set';
  await expectAccepted(t, { operation: 'users.get', what, input: { path: accepted.input.path! } });
});

everyExchange('users.setPermissions.same-customer', 'users.setPermissions', sameIdentifier('customer'));
