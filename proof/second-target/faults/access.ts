/** Faults of who is let in, how long, and what they reach. */
import type { Choices } from '../choices.ts';
import type { Exchange } from '../exchange.ts';
import type { OperationId } from '../operation-ids.ts';
import { bodyWith } from '../tools.ts';
import { type Fault, fault, overlooked } from './fault.ts';

const presented = ({ headers }: Exchange) => String(headers.authorization ?? '').replace(/^Bearer +/i, '');

const tokenOf = (x: Exchange) => x.world.tokens.find(({ value }) => value === presented(x));

/** Refuses requests with a token that is good otherwise. */
function refuseToken(c: Choices, when: (x: Exchange, token: { issued: number; value: string }) => boolean): void {
  c.before.push((x) => {
    const token = x.operation === 'token.issue' ? undefined : tokenOf(x);
    return token && x.world.now() < token.expires && when(x, token)
      ? { status: 401, body: [{ errorCode: 'x' }] }
      : undefined;
  });
}

/** Secrets and passwords of one operation are compared in another way. */
const comparing = (
  id: string,
  condemns: string,
  operation: OperationId,
  same: (presented: string, real: string) => boolean,
): Fault =>
  fault(id, condemns, (c) => {
    const usual = c.isSecret;
    c.isSecret = (presented, real, x) =>
      x.operation === operation ? same(presented, real) : usual(presented, real, x);
  });

export const accessFaults: Fault[] = [
  fault(
    'only-the-latest-four-tokens-live',
    ['token.issue.earlier-token-lives', 'token.issue.usable-until-expiry'],
    (c) => refuseToken(c, ({ world }, { value }) => !world.tokens.slice(-4).some((token) => token.value === value)),
  ),
  overlooked('foreign-cards-encrypted-with-a-nonce', 'cards.encryptForVde.foreign', 'card-out-of-reach', ({ text }) =>
    text.includes('nonce'),
  ),
  overlooked('foreign-cards-reached-by-cards-suspend', 'cards.suspend.foreign', 'card-out-of-reach'),
  overlooked('foreign-cards-reached-by-cards-transfer', 'cards.transfer.foreign', 'card-out-of-reach'),
  overlooked('foreign-hierarchy-shown', 'portal.getCustomerHierarchy.foreign-customer', 'foreign-customer-id'),
  comparing(
    'secret-with-its-last-character-changed-accepted',
    'token.issue.wrong-secret-refused',
    'token.issue',
    (presented, real) => presented.length === real.length && presented.slice(0, -1) === real.slice(0, -1),
  ),
  comparing(
    'password-of-the-same-length-accepted',
    'portal.login.wrong-password',
    'portal.login',
    (presented, real) => presented.length === real.length,
  ),
  fault(
    'expires-on-before-not-before',
    ['token.issue.expires-after-not-before', 'token.issue.expires-on', 'token.issue.valid-from-not-before'],
    (c) => bodyWith(c, 'token.issue', ({ not_before }) => ({ expires_on: Number(not_before) - 1 })),
  ),
];
