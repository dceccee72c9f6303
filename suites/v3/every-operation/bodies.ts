/** Operations that take a body and have no table of their own refuse none, and one of wrong types (readings 6 and 8). */
import { refusesBody } from '../../../helpers/engine/bodies.ts';
import { monitored } from '../../declare.ts';
import * as WalletPinReissue from '../cards/scenarios/wallet-pin-reissue.ts';
import * as SetPermissions from '../users/set-permissions.ts';

/** Where they are sent, and what the wrong types are. */
const DRIVEN = [
  ['users.setPermissions', SetPermissions.permissionChanges, 'a text, a number, an array, and what is not JSON'],
  ['cards.setPin', WalletPinReissue.first, 'a number and an array in the place of text'],
  ['cards.reissue', WalletPinReissue.first, 'a number and an array in the place of text'],
] as const;

for (const [id, scenario, types] of DRIVEN) {
  const zeroBytes = 'zero bytes, declared as JSON and not';
  const drive = (t: Parameters<typeof scenario.body>[0]) => t.shared<unknown>(scenario);
  monitored(`${id}.missing-body`, refusesBody(id, 'no body'))(zeroBytes, {}, drive);
  monitored(`${id}.missing-body-400`, refusesBody(id, 'no body', [400]))(zeroBytes, {}, drive);
  monitored(`${id}.body-types`, refusesBody(id, 'a body of wrong types'))(types, {}, drive);
}
