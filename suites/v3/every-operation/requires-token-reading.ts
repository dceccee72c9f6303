/** Reading operations and setPermissions need a good token. Operations that change cards are tried in requires-token-changing.ts. */
import { operations } from '../../../contracts/operations.ts';
import { succeeded } from '../../../helpers/answer.ts';
import { defineSuite, scenario } from '../../../helpers/check.ts';
import type { Context } from '../../../helpers/context.ts';
import { outcomeInWords } from '../../../helpers/engine/observed.ts';
import { rotated } from '../../../helpers/rotation.ts';
import {
  callOtherFormsWithoutToken,
  callWithBadTokens,
  expectChallenged,
  expectInventedGuarded,
  expectRefusedWithoutToken,
  type Probe,
  probesOnInvented,
} from '../../shared/bad-tokens.ts';
import { perOperation } from '../../shared/per-operation.ts';
import { OTHER_FORMS, readingInput } from '../../shared/requests.ts';
import { permissionChanges, permissionsAsTheyAre, writableCustomer } from '../users/set-permissions.ts';

const { check, suite } = defineSuite();
export const requiresTokenReadingSuite = suite;

/** Shown operations that change nothing. */
export const readingOperations: readonly string[] = operations
  .filter((o) => o.interface === 'v3' && o.risk === 'safe' && !o.listedOnly)
  .map(({ id }) => id);

/** Requests with bad tokens that would read something if the token were good. */
const badReadings = perOperation(
  (operation) => `${operation} with bad tokens`,
  async (t, operation): Promise<Probe[]> => callWithBadTokens(t, operation, await readingInput(t, operation)),
);

/** Whether the same request with the token of the run is accepted. */
const goodReading = perOperation(
  (operation) => `${operation} with a good token`,
  async (t, operation) => succeeded(await t.call(operation, await readingInput(t, operation))),
);

for (const operation of readingOperations) {
  if (OTHER_FORMS[operation])
    check(`${operation}.requires-token`, 'in its other forms', async (t) => {
      await t.shared(goodReading(operation));
      for (const { probe, input } of await callOtherFormsWithoutToken(t, operation))
        await expectRefusedWithoutToken(probe, async () =>
          succeeded(await t.call(operation, input, { intent: 'refusable' })),
        );
    });

  check(`${operation}.requires-token`, 'on something that exists', async (t) => {
    for (const probe of await t.shared(badReadings(operation)))
      await expectRefusedWithoutToken(probe, () => t.shared(goodReading(operation)));
    if (operation === 'users.list') await observeSpelling(t);
  });

  check(`${operation}.challenge`, 'to bad tokens', async (t) =>
    expectChallenged(await t.shared(badReadings(operation))),
  );
}

/** Observes the scheme in other cases: in HTTP it is case-insensitive (RFC 9110 section 11.1); the document writes Bearer. */
async function observeSpelling(t: Context): Promise<void> {
  const { value } = await t.run.client.tokens.current();
  for (const scheme of rotated(t.run, 'users.list: spelling of Bearer', ['bearer', 'BEARER'])) {
    const authorisation = { authorization: `${scheme} ${value}` };
    const answer = await t.call('users.list', { query: { max: 1 } }, { intent: 'refusable', authorisation });
    t.observe('users.list', `the scheme written as ${scheme}`, outcomeInWords(answer));
  }
}

/** Sends bad tokens to set permissions that may be changed; undefined where none may be. */
const badPermissions = scenario('users.setPermissions with bad tokens', async (t): Promise<Probe[] | undefined> => {
  const identifier = writableCustomer(t);
  return identifier === undefined
    ? undefined
    : callWithBadTokens(t, 'users.setPermissions', permissionsAsTheyAre(t, identifier));
});

check('users.setPermissions.requires-token', 'bad tokens', async (t) => {
  const probes = await t.shared(badPermissions);
  if (!probes) return expectInventedGuarded(t, 'users.setPermissions');
  for (const probe of probes)
    await expectRefusedWithoutToken(probe, async () => (await t.shared(permissionChanges)).nothing.some(succeeded));
});

check('users.setPermissions.challenge', 'to bad tokens', async (t) => {
  expectChallenged((await t.shared(badPermissions)) ?? (await t.shared(probesOnInvented('users.setPermissions'))).bad);
});
