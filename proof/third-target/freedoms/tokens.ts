import { randomBytes, randomUUID } from 'node:crypto';
import type { Freedom } from '../core/changes.ts';
import { after, freedom, members } from '../core/changes.ts';
import type { Claims, TemporaryToken, World } from '../core/model.ts';

/** Tokens that are kept on the server, under a text that means nothing. */
function remembered(world: World, text: () => string): void {
  const tokens = new Map<string, Claims>();
  world.rules.writeToken = (claims) => {
    const written = text();
    tokens.set(written, claims);
    return written;
  };
  world.rules.readToken = (read) => tokens.get(read);
}

function sessionIds(world: World, id: (count: number) => string): void {
  const { openSession } = world.rules;
  world.rules.openSession = (user) => Object.assign(openSession(user), { id: id(world.sessions.length) });
}

const accessTokens: Freedom[] = [
  freedom('token-opaque-hexadecimal', 'A token is 40 hexadecimal digits', [14, 17], (world) =>
    remembered(world, () => randomBytes(20).toString('hex')),
  ),
  freedom('token-is-a-uuid', 'A token is a UUID', [14, 17], (world) => remembered(world, () => randomUUID())),
  freedom('token-of-two-kilobytes', 'A token is two kilobytes long', [14, 17], (world) =>
    remembered(world, () => randomBytes(1536).toString('base64url')),
  ),
  freedom('token-with-odd-characters', 'A token holds ~ + / and ends with =', [14, 17], (world) =>
    remembered(world, () => `v1~${randomBytes(31).toString('base64')}`),
  ),
  freedom('token-type-in-small-letters', 'token_type is bearer', [16], (world) => {
    const { tokenAnswer } = world.rules;
    world.rules.tokenAnswer = (claims, text) => ({ ...tokenAnswer(claims, text), token_type: 'bearer' });
  }),
  freedom(
    'token-handed-out-again',
    'A client gets its token again until five minutes before its end',
    [14],
    (world) => {
      const kept = new Map<string, { claims: Claims; text: string }>();
      const { newClaims, tokenAnswer } = world.rules;
      world.rules.newClaims = (client) => {
        const old = kept.get(client.id);
        return old && old.claims.until - world.now() / 1000 > 300 ? old.claims : newClaims(client);
      };
      world.rules.tokenAnswer = (claims, text) => {
        const old = kept.get(claims.client);
        const same = old?.claims === claims ? old : { claims, text };
        kept.set(claims.client, same);
        return {
          ...tokenAnswer(claims, same.text),
          expires_in: claims.until - Math.floor(world.now() / 1000),
        };
      };
    },
  ),
  freedom('token-says-more', 'The token answer has a scope, an ext_expires_in and an id', [4], (world) => {
    const { tokenAnswer } = world.rules;
    world.rules.tokenAnswer = (claims, text) => ({
      ...tokenAnswer(claims, text),
      scope: 'urn:cards/.default',
      ext_expires_in: 3600,
      id: claims.serial,
      roles: ['cards', 'users'],
    });
  }),
  freedom(
    'token-says-only-itself',
    'The token answer has access_token, token_type and expires_in',
    [5, 14],
    (world) => {
      const { tokenAnswer } = world.rules;
      world.rules.tokenAnswer = (claims, text) => {
        const { not_before, expires_on, resource, ...rest } = tokenAnswer(claims, text);
        return rest;
      };
    },
  ),
  freedom('client-by-any-grant', 'Any grant_type that names a client is taken', [16], (world) =>
    world.handlers.set('token.issue', (_, call) => {
      const form = new URLSearchParams(call.text);
      const client = world.rules.clientOf(form.get('client_id') ?? '', form.get('client_secret') ?? '');
      if (!client) return world.rules.tokenError(400, 'invalid_client');
      const claims = world.rules.newClaims(client);
      return {
        status: 200,
        headers: { 'cache-control': 'no-store' },
        body: world.rules.tokenAnswer(claims, world.rules.writeToken(claims)),
      };
    }),
  ),
];

const sessions: Freedom[] = [
  freedom('session-of-digits', 'A session id is eighteen digits', [33, 34], (world) =>
    sessionIds(world, () =>
      BigInt(`0x${randomBytes(8).toString('hex')}`)
        .toString()
        .padStart(20, '7')
        .slice(-18),
    ),
  ),
  freedom('session-is-a-uuid', 'A session id is a UUID', [33, 34], (world) => sessionIds(world, () => randomUUID())),
  freedom('session-with-odd-characters', 'A session id holds + / = and has to be encoded', [33, 34], (world) =>
    sessionIds(world, () => `${randomBytes(20).toString('base64')}+/=`),
  ),
  freedom('session-of-three-parts', 'A session id looks like a signed token', [33, 34], (world) =>
    sessionIds(world, () => [12, 60, 32].map((size) => randomBytes(size).toString('base64url')).join('.')),
  ),
  freedom('session-one-a-user', 'A login ends the earlier sessions of its user', [33], (world) => {
    const { openSession } = world.rules;
    world.rules.openSession = (user) => {
      for (const session of world.sessions) if (session.user === user) session.ended = true;
      return openSession(user);
    };
  }),
  freedom('session-two-a-user', 'A user has two sessions; a third login ends the oldest', [33], (world) => {
    const { openSession } = world.rules;
    world.rules.openSession = (user) => {
      const open = world.sessions.filter((session) => session.user === user && !session.ended);
      if (open.length >= 2) open[0]!.ended = true;
      return openSession(user);
    };
  }),
  freedom('login-says-little', 'login answers with sessionId and customerId alone', [5], (world) =>
    after(world, 'portal.login', (_call, { status, body }) => {
      const { sessionId, customerId } = body as Record<string, unknown>;
      return { status, body: { sessionId, customerId } };
    }),
  ),
  freedom('login-says-more', 'login answers with an avatar, rights and the last login', [4], (world) =>
    after(world, 'portal.login', (_call, answer) =>
      members(answer, {
        avatar: { small: null },
        rights: ['order'],
        lastLogin: '2026-01-02 10:11',
        isHostAdmin: false,
        etag: '"a1"',
      }),
    ),
  ),
];

const temporary: Freedom[] = [
  freedom('temporary-token-kept-a-minute', 'A card has one temporary token for a minute', [23], (world) => {
    const { newTemporaryToken } = world.rules;
    world.rules.newTemporaryToken = (card): TemporaryToken => {
      const kept = world.temporaryTokens.find((token) => token.card === card && token.until > world.now());
      return kept ?? { ...newTemporaryToken(card), until: world.now() + 60_000 };
    };
  }),
  freedom('temporary-token-of-digits', 'A temporary token is sixteen digits', [23], (world) => {
    const { newTemporaryToken } = world.rules;
    world.rules.newTemporaryToken = (card) => ({
      ...newTemporaryToken(card),
      text: `9${Array.from(randomBytes(15), (byte) => byte % 10).join('')}`,
    });
  }),
  freedom('temporary-token-ends-others', 'A new temporary token ends the earlier one of its card', [23], (world) => {
    const { newTemporaryToken } = world.rules;
    world.rules.newTemporaryToken = (card) => {
      world.temporaryTokens = world.temporaryTokens.filter((token) => token.card !== card);
      return newTemporaryToken(card);
    };
  }),
];

export const tokenFreedoms: Freedom[] = [...accessTokens, ...sessions, ...temporary];
