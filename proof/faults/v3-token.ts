/** Faults of the token endpoint: what it says of a token, to whom it gives one, how long it lives, and what ends one. */
import type { OperationId } from '../../sandbox/index.ts';
import { credentials } from '../../sandbox/seed/credentials.ts';
import { broken, is, letThrough, refusedWith } from './broken.ts';
import type { Fault } from './fault.ts';

/** A wrong credential that is taken for the right one. Some of the wrong ones are tried per run. */
const takenFor = (
  name: string,
  [member, requirement, right]: readonly [string, string, string],
  takes: (sent: string, right: string) => boolean,
): Fault =>
  broken(
    name,
    requirement,
    letThrough(
      is('token.issue', { kind: 'credentials', name: member }, ({ form }) => takes(form?.[member] ?? '', right)),
    ),
  );

const SECRET = ['client_secret', 'token.issue.wrong-secret-refused', credentials.clientSecret] as const;
const CLIENT = ['client_id', 'token.issue.unknown-client-refused', credentials.clientId] as const;

const livesFor = (minutes: number, operation: OperationId): Fault =>
  broken(`${operation} takes a token for ${minutes} minutes`, 'token.issue.lives-60-minutes', {
    tokenLifetimeSeconds: (of) => (of === operation ? minutes * 60 : 3600),
  });

export const tokenFaults: readonly Fault[] = [
  takenFor('a client_id that is cut off gets a token', CLIENT, (sent, right) => sent !== '' && right.startsWith(sent)),
  takenFor('a client_id is taken for a pattern', CLIENT, (sent, right) => {
    const [beginning, ...rest] = sent.split('%');
    return rest.length > 0 && right.startsWith(beginning!);
  }),
  takenFor(
    'a client_secret in another case of letters gets a token',
    SECRET,
    (sent, right) => sent.toLowerCase() === right.toLowerCase(),
  ),
  broken(
    'a refused token request is answered with 422',
    'token.issue.error-response',
    refusedWith(422, is('token.issue', { kind: 'credentials' })),
  ),
  broken('token_type is MAC', 'token.issue.token-type', { tokenType: 'MAC' }),
  broken('expires_on counts days since the epoch', 'token.issue.epoch-times', {
    expiresOn: (seconds) => Math.ceil(seconds / 86_400),
  }),
  {
    name: 'the answer with a token may be stored',
    condemns: ['token.issue.no-store'],
    sandbox: {
      middleware: [
        (answer, { operation }) =>
          operation === 'token.issue'
            ? { ...answer, headers: { ...answer.headers, 'cache-control': 'private' } }
            : undefined,
      ],
    },
  },
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
