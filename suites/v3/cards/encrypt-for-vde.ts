/** A card's payload encrypted for VDE, with and without a nonce (readings 7, 8 and 30). */
import { memberOf, succeeded } from '../../../helpers/answer.ts';
import { expectAccepted } from '../../../helpers/engine/acceptance.ts';
import * as Forms from '../../../helpers/engine/forms/index.ts';
import { expectRefused, expectSuccess, requireAccepted } from '../../../helpers/expect.ts';
import { check } from '../../declare.ts';
import * as Excuses from './excuses.ts';
import { readings } from './scenarios/reading.ts';

check('cards.encryptForVde.required-only', 'an object without members', async (t) => {
  const { encryption, encryptedOther, active } = await t.shared(readings);
  const { nothing, nonce } = encryption.get();
  const what = 'an object without members';
  if (active && !succeeded(nothing) && succeeded(nonce)) {
    const { operation, input } = nonce;
    // Each nonce may be good once.
    const control = () => ({ ...input, json: { nonce: Forms.invented(String(memberOf(input.json, 'nonce'))) } });
    await expectAccepted(t, { operation: operation.id, what, input: nothing.input, control });
    return;
  }
  if (active && !succeeded(nothing))
    await Excuses.requireRefusedForOthers(t, 'cards.encryptForVde', async () => encryptedOther.get());
  (active ? expectSuccess : requireAccepted)(nothing, what);
});

check('cards.encryptForVde.nonce-accepted', 'a UUID, hexadecimal or base64', async (t) => {
  const { encryption, active } = await t.shared(readings);
  for (const plain of [encryption.get().nothing, encryption.get().control])
    requireAccepted(plain, 'an object without members');
  (active ? expectSuccess : requireAccepted)(encryption.get().nonce, 'a nonce in any of the usual forms');
});

check('cards.encryptForVde.body-types', 'a nonce that is a number', async (t) => {
  expectRefused((await t.shared(readings)).encryption.get().wrongType!, 'a nonce that is a number');
});
