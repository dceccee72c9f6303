/** `npm run publish:surface`: writes down what is released, when it is: the version and the public surface. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifest, surface } from './surface.ts';

writeFileSync(join(import.meta.dirname, 'released.txt'), `${[manifest.version, ...surface()].join('\n')}\n`);
