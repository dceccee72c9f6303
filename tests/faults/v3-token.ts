/** Faults of the token endpoint: what it says of a token, to whom it gives one, and what ends one. */
import { credentials as credentialsOfSandbox } from '../../sandbox/seed/credentials.ts';
import { broken } from './broken.ts';
import type { Fault } from './fault.ts';

const issue = (name: string) => `token.issue.${name}`;
const credentials = (wrong: string) =>
  broken(
    `a wrong ${wrong} gets a token`,
    issue(wrong === 'client_id' ? 'unknown-client-refused' : 'wrong-secret-refused'),
    {
      enforces: ({ operation, kind, name }) =>
        !(operation === 'token.issue' && kind === 'credentials' && name === wrong),
    },
  );

/** A wrong secret that is taken for the right one. */
function secretTakenFor(name: string, takes: (sent: string, right: string) => boolean): Fault {
  return broken(name, issue('wrong-secret-refused'), {
    enforces: (refusal) =>
      refusal.kind !== 'credentials' ||
      refusal.name !== 'client_secret' ||
      !takes(refusal.request.form?.client_secret ?? '', credentialsOfSandbox.clientSecret),
  });
}

export const tokenFaults: readonly Fault[] = [
  broken('expires_in is 3606', issue('expires-in'), { expiresIn: (seconds) => seconds + 6 }),
  broken('expires_in is in minutes', issue('expires-in'), { expiresIn: (seconds) => seconds / 60 }),
  broken('expires_in tells a day', issue('expires-in'), { expiresIn: () => 86_400 }),
  broken('expires_on is the time of issue', [issue('expires-on'), issue('expires-after-not-before')], {
    expiresOn: (seconds) => seconds - 3600,
  }),
  broken('expires_on is 6 minutes late', issue('expires-on'), { expiresOn: (seconds) => seconds + 360 }),
  broken('not_before is after expires_on', issue('expires-after-not-before'), {
    notBefore: (seconds) => seconds + 7200,
  }),
  credentials('client_id'),
  credentials('client_secret'),
  secretTakenFor('a client_secret that is continued gets a token', (sent, right) => sent.startsWith(right)),
  secretTakenFor(
    'a client_secret in another case of letters gets a token',
    (sent, right) => sent.toLowerCase() === right.toLowerCase(),
  ),
  broken('another token ends the earlier one', issue('earlier-token-lives'), { issuingEndsEarlierTokens: true }),
  {
    ...broken('a token works a few times', issue('usable-until-expiry'), { tokenMaxUses: 12 }),
    also: ['users.list', 'cards.get'],
  },
];
