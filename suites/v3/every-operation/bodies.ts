/** Operations that take a body and have no table of their own refuse none, and one of wrong types (readings 6 and 8). */
import type { Context } from '../../../helpers/check.ts';
import { refusesBody } from '../../../helpers/engine/bodies.ts';
import type { Monitor } from '../../../helpers/evidence/monitor.ts';
import { monitored } from '../../declare.ts';
import { gifts } from '../cards/scenarios/wallet-pin-reissue.ts';
import * as SetPermissions from '../users/set-permissions.ts';

/** By operation, what sends them for a requirement, and what the wrong types are. */
const SENT: readonly (readonly [string, (requirement: string) => (t: Context) => Promise<unknown>, string])[] = [
  [
    'users.setPermissions',
    (requirement) => SetPermissions.permissionChanges.reads(requirement, 'wrong types'),
    'a text, a number, an array, and what is not JSON',
  ],
  ...['cards.setPin', 'cards.reissue'].map((id) => {
    const sentBy = (requirement: string) => gifts.reads(requirement, `wrong bodies: ${id}`);
    return [id, sentBy, 'a number and an array in the place of text'] as const;
  }),
];

for (const [id, sentBy, types] of SENT) {
  const refuses = (name: string, what: string, monitor: Monitor) =>
    monitored(`${id}.${name}`, monitor)(what, {}, sentBy(`${id}.${name}`));
  const zeroBytes = 'zero bytes, declared as JSON and not';
  refuses('missing-body', zeroBytes, refusesBody(id, 'no body'));
  refuses('missing-body-400', zeroBytes, refusesBody(id, 'no body', 400));
  refuses('body-types', types, refusesBody(id, 'a body of wrong types'));
}
