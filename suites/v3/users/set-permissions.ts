/** Permissions of a customer: which bodies are accepted. Nothing readable shows their effect. */
import { type Answer, type Input, succeeded } from '../../../helpers/answer.ts';
import type { Context } from '../../../helpers/check.ts';
import * as Scope from '../../../helpers/configuration/scope.ts';
import type { Configuration } from '../../../helpers/configuration/types.ts';
import { expectAccepted } from '../../../helpers/engine/acceptance.ts';
import { tryWrongBodies } from '../../../helpers/engine/bodies.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import { attempt, type Fact, inconclusive, leftOf } from '../../../helpers/verdict.ts';
import { check, everyExchange, life } from '../../declare.ts';
import * as BadTokens from '../../shared/bad-tokens.ts';
import { sameIdentifier } from '../../shared/identifiers.ts';
import * as UnknownNames from '../../shared/unknown-names.ts';
import * as Known from '../listings/known.ts';

const SET = 'users.setPermissions';

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

/** Bodies of undocumented JSON types, and what is no object. */
const WRONG_TYPES: readonly Pick<Input, 'json' | 'text'>[] = [
  { json: { canSearchLoads: 'true' } },
  { json: { canSearchSpends: 1 } },
  ...Forms.oddBodies.map(({ input }) => input),
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

/** The customer whose permissions are set. @throws Inconclusive where there is none */
async function begin(t: Context) {
  const identifier = writableCustomer(t) ?? inconclusive('no permissions may be changed');
  return { identifier, path: { identifier } };
}
type Begun = Awaited<ReturnType<typeof begin>> & { t: Context };

/** A target may have a cool-down or be busy: a right request is repeated within the settle time. */
async function set({ t, path }: Begun, bodies: readonly Pick<Input, 'json'>[]): Promise<Answer[]> {
  const rows: Fact<Answer>[] = [];
  for (const body of bodies) {
    const send = () => t.call(SET, { path, ...body });
    rows.push(await attempt(() => t.eventually(send, succeeded)));
  }
  return leftOf(rows);
}

/** A proxy in front of the target may never answer a body that is not JSON. */
const setWrongTypes = ({ t, path }: Begun) =>
  tryWrongBodies(
    t,
    SET,
    path,
    t.rotated('permissions of wrong types', WRONG_TYPES, { count: 2, name: JSON.stringify }),
  );

/** Permissions of one customer, with bad tokens and wrong ones first: only changes by the right ones are undone at the end. */
export const permissionChanges = life('permissions of a customer', begin)
  .does('bad tokens', ({ t, identifier }) => BadTokens.tryAll(t, SET, permissionsAsTheyAre(t, identifier)))
  .does('wrong types', setWrongTypes)
  .shows('none', (on) => set(on, [{ json: {} }]), { of: SET })
  .does('misnamed', ({ t, identifier }) => UnknownNames.tryAll(t, SET, identifier, { json: {} }))
  .shows('some', (on) => set(on, rightMembers(on.t)), { of: SET })
  // Whoever is asked for next is not the customer that was written.
  .does('another customer', ({ t, identifier }) => Known.readAnother(t, identifier), {
    of: ['users.get', SET],
    after: ['some'],
  });

/** Expects each set of permissions to be accepted, if only when it is sent again. @param control what is accepted besides */
async function expectEachAccepted(t: Context, answers: readonly Answer[], control?: Input): Promise<void> {
  for (const { input } of answers.filter((answer) => !succeeded(answer))) {
    const what = `permissions ${JSON.stringify(input.json)}`;
    await expectAccepted(t, { operation: SET, what, input, ...(control && { control }) });
  }
}

permissionChanges.check(
  'users.setPermissions.required-only',
  'an object without members',
  ['none'],
  async (t, { none }) => {
    if (!none.get().every(succeeded)) await Known.requireKnownCustomer(t, 'writableCustomerIdentifier');
    await expectEachAccepted(t, none.get());
  },
);

permissionChanges.check(
  'users.setPermissions.any-members-accepted',
  'none, either alone, and both',
  ['none', 'some'],
  async (t, { none, some }) => {
    const all = [...none.get(), ...some.get()];
    if (!all.some(succeeded)) await Known.requireKnownCustomer(t, 'writableCustomerIdentifier');
    await expectEachAccepted(t, all, none.get().find(succeeded)?.input);
  },
);

const setAll = permissionChanges.reads('users.get.required-only', 'none', 'some');
check('users.get.required-only', 'a customer whose permissions were set', { applies: maySet }, async (t) => {
  const { none, some } = await setAll(t);
  const [accepted] = [...none.get(), ...some.get()].filter(succeeded);
  if (!accepted) return;
  const what = 'the request for a customer whose permissions were set';
  await expectAccepted(t, { operation: 'users.get', what, input: { path: accepted.input.path! } });
});

everyExchange('users.setPermissions.same-customer', 'users.setPermissions', sameIdentifier('customer'));
