/** Faults of which card an identifier leads to: another one, one that it only resembles, or one of another tenant. */
import { misanswered } from './broken.ts';
import type { Fault } from './fault.ts';

export const identifierFaults: readonly Fault[] = [
  misanswered('a proxy is found with another proxyNumber', 'cards.get.by-proxy', 'cards.get', (body, { request }) => {
    if (request.query.byProxy === 'true') body.proxyNumber = '0000000000';
  }),
  {
    name: 'a proxy is found without both of programIdentifier and isDigital',
    condemns: ['cards.get.by-proxy-needs-program'],
    sandbox: {
      rules: {
        requires: (operation, _name, byDefault, { query }) =>
          byDefault && !(operation === 'cards.get' && !query.programIdentifier && !query.isDigital),
      },
    },
  },
];
