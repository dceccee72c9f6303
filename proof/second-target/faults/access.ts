/** Faults of who is let in, how long, and what they reach. */
import { cardShape } from '../shapes.ts';
import { bodyWith } from '../tools.ts';
import { choosing, type Fault, fault, misanswered, overlooked } from './fault.ts';

/** Secrets or passwords of one operation are compared in another way. */
const comparing = (id: string, condemns: string, same: (presented: string, real: string) => boolean): Fault =>
  fault(id, condemns, (c) => {
    const usual = c.isSecret;
    c.isSecret = (presented, real, x) =>
      condemns.startsWith(`${x.operation}.`) ? same(presented, real) : usual(presented, real, x);
  });

export const accessFaults: Fault[] = [
  overlooked(
    'secret-of-the-first-eight-characters',
    'token.issue.wrong-secret-refused',
    'bad-client',
    ({ text, world }, field) =>
      field === 'client_secret' &&
      (new URLSearchParams(text).get('client_secret') ?? '').startsWith(world.client.secret.slice(0, 8)),
  ),
  overlooked(
    'no-token-needed-for-the-most-customers',
    'users.list.requires-token',
    ['no-token', 'bad-token'],
    ({ query }) => query.get('max') === '50',
  ),
  fault(
    'only-the-latest-four-tokens-live',
    ['token.issue.earlier-token-lives', 'token.issue.usable-until-expiry'],
    (c) =>
      c.before.push(({ operation, headers, world }) => {
        const presented = String(headers.authorization ?? '').replace(/^Bearer +/i, '');
        const isPresented = ({ value }: { value: string }) => value === presented;
        const token = operation === 'token.issue' ? undefined : world.tokens.find(isPresented);
        return token && world.now() < token.expires && !world.tokens.slice(-4).some(isPresented)
          ? { status: 401, body: [{ errorCode: 'x' }] }
          : undefined;
      }),
  ),
  misanswered('foreign-cards-listed-by-two-filters', 'cards.list.foreign', (body, x) => {
    const wanted = x.query.get('customerIdentifier');
    const theirs = x.world.cards.filter(({ owner }) => !owner.ours && owner.identifier === wanted);
    if (x.query.has('programIdentifier') && theirs.length > 0) body.results = theirs.map((card) => cardShape(card, x));
  }),
  overlooked('foreign-cards-encrypted-with-a-nonce', 'cards.encryptForVde.foreign', 'card-out-of-reach', ({ text }) =>
    text.includes('nonce'),
  ),
  overlooked('foreign-cards-reached-by-cards-suspend', 'cards.suspend.foreign', 'card-out-of-reach'),
  overlooked('foreign-cards-reached-by-cards-transfer', 'cards.transfer.foreign', 'card-out-of-reach'),
  overlooked('foreign-hierarchy-shown', 'portal.getCustomerHierarchy.foreign-customer', 'foreign-customer-id'),
  fault('token-cut-short-accepted', 'users.list.requires-token', (c) => {
    c.isToken = (presented, { value }) => presented.length >= 6 && value.startsWith(presented);
    c.bearer = (header) => /^Bearer ?(.*)$/i.exec(header ?? '')?.[1];
  }),
  comparing('secret-continued-accepted', 'token.issue.wrong-secret-refused', (presented, real) =>
    presented.startsWith(real),
  ),
  comparing(
    'secret-with-its-last-character-changed-accepted',
    'token.issue.wrong-secret-refused',
    (presented, real) => presented.length === real.length && presented.slice(0, -1) === real.slice(0, -1),
  ),
  comparing(
    'password-that-is-long-enough-accepted',
    'portal.login.wrong-password',
    (presented, real) => presented.length >= real.length,
  ),
  overlooked(
    'client-unknown-accepted-with-the-secret',
    'token.issue.unknown-client-refused',
    'bad-client',
    (_x, field) => field === 'client_id',
  ),
  choosing('every-third-token-lives-two-hours', 'token.issue.ends-after-60-minutes', {
    tokenLifetime: (n) => (n % 3 === 0 ? 7200 : 3600),
  }),
  fault(
    'expires-on-before-not-before',
    ['token.issue.expires-after-not-before', 'token.issue.expires-on', 'token.issue.valid-from-not-before'],
    (c) => bodyWith(c, 'token.issue', ({ not_before }) => ({ expires_on: Number(not_before) - 1 })),
  ),
];
