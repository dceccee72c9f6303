/** Faults of the token endpoint: what it says of a token, to whom it gives one, how long it lives, and what ends one. */
import type { OperationId } from '../../sandbox/index.ts';
import { credentials } from '../../sandbox/seed/credentials.ts';
import { altering } from '../changed-sandbox.ts';
import { broken, fault, misrefused, tolerated } from './broken.ts';
import type { Fault } from './fault.ts';

/** A wrong credential that is taken for the right one. Some of the wrong ones are tried per run. */
const takenFor =
  (name: 'client_id' | 'client_secret', condemns: string, right: string) =>
  (what: string, takes: (sent: string, right: string) => boolean): Fault =>
    tolerated(what, condemns, { kind: 'credentials', name }, ({ form }) => takes(form?.[name] ?? '', right));

const takesSecret = takenFor('client_secret', 'token.issue.wrong-secret-refused', credentials.clientSecret);
const takesClient = takenFor('client_id', 'token.issue.unknown-client-refused', credentials.clientId);

const livesFor = (minutes: number, operation: OperationId): Fault =>
  broken(`${operation} takes a token for ${minutes} minutes`, 'token.issue.lives-60-minutes', {
    tokenLifetimeSeconds: (of) => (of === operation ? minutes * 60 : 3600),
  });

export const tokenFaults: readonly Fault[] = [
  takesClient('a client_id that is cut off gets a token', (sent, right) => sent !== '' && right.startsWith(sent)),
  takesClient('a client_id is taken for a pattern', (sent, right) => {
    const [beginning, ...rest] = sent.split('%');
    return rest.length > 0 && right.startsWith(beginning!);
  }),
  takesSecret(
    'a client_secret in another case of letters gets a token',
    (sent, right) => sent.toLowerCase() === right.toLowerCase(),
  ),
  misrefused('a refused token request is answered with 422', 'token.issue.error-response', 422, {
    kind: 'credentials',
  }),
  broken('token_type is MAC', 'token.issue.token-type', { tokenType: 'MAC' }),
  broken('expires_on counts days since the epoch', 'token.issue.epoch-times', {
    expiresOn: (seconds) => Math.ceil(seconds / 86_400),
  }),
  fault(
    'the answer with a token may be stored',
    'token.issue.no-store',
    altering(
      ({ headers }, { operation }) =>
        operation === 'token.issue' && { headers: { ...headers, 'cache-control': 'private' } },
    ),
  ),
  livesFor(45, 'cards.getBalance'),
  livesFor(45, 'cards.listRelated'),
  livesFor(20, 'cards.getStatus'),
  broken('the first token is handed out for good', 'token.issue.lives-60-minutes', {
    tokenReuse: { sameWhileSecondsRemain: Number.NEGATIVE_INFINITY },
  }),
  {
    ...broken('a token works a few times', 'token.issue.usable-until-expiry', { tokenMaxUses: 12 }),
    also: ['users.list', 'cards.get'],
  },
];
