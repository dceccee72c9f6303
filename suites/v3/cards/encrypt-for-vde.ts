/** A card's payload encrypted for VDE, with and without a nonce (readings 7, 8 and 30). */
import { memberOf, succeeded } from '../../../helpers/answer.ts';
import { expectAccepted } from '../../../helpers/engine/acceptance.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import { expectRefused, expectSuccess, requireAccepted } from '../../../helpers/expect.ts';
import * as Excuses from './excuses.ts';
import { NONCES, readings } from './scenarios/reading.ts';

const NOTHING = 'an object without members';

readings.check(
  'cards.encryptForVde.required-only',
  NOTHING,
  ['encrypted', 'encryptedWithNonce', 'encryptedOther'],
  async (t, { active, ...facts }) => {
    const nothing = facts.encrypted.get();
    const { answer: withNonce } = facts.encryptedWithNonce.get();
    if (active && !succeeded(nothing) && succeeded(withNonce)) {
      const { operation, input } = withNonce;
      // Each nonce may be good once.
      const control = () => ({ ...input, json: { nonce: Forms.invented(String(memberOf(input.json, 'nonce'))) } });
      await expectAccepted(t, { operation: operation.id, what: NOTHING, input: nothing.input, control });
      return;
    }
    if (active && !succeeded(nothing))
      await Excuses.requireRefusedForOthers(t, 'cards.encryptForVde', async () => facts.encryptedOther.get());
    (active ? expectSuccess : requireAccepted)(nothing, NOTHING);
  },
);

const ANY_FORM = 'a nonce in any of the usual forms';

readings.check(
  'cards.encryptForVde.nonce-accepted',
  'a UUID, hexadecimal or base64',
  ['encrypted', 'encryptedWithNonce'],
  async (t, { path, active, ...facts }) => {
    requireAccepted(facts.encrypted.get(), NOTHING);
    const { answer } = facts.encryptedWithNonce.get();
    if (!active) requireAccepted(answer, ANY_FORM);
    if (succeeded(answer)) return;
    const withNonce = (make: () => string) => () => ({ path, json: { nonce: make() } });
    const [input, fuller] = [withNonce(NONCES[0]), NONCES.slice(1).map(withNonce)];
    const control = { path, json: {} };
    await expectAccepted(t, { operation: answer.operation.id, what: ANY_FORM, input, fuller, control });
  },
);

readings.check('cards.encryptForVde.body-types', 'a nonce that is a number', ['encryptedWithNumber'], (_, facts) =>
  expectRefused(facts.encryptedWithNumber.get(), 'a nonce that is a number'),
);
