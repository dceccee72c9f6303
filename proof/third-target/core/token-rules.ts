import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Claims, Client, Fields, Rules, World } from './model.ts';

const KEY = randomBytes(32);
const HEADER = { alg: 'HS256', typ: 'JWT', kid: 'k-2' };

export const packed = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

export const signature = (text: string) => createHmac('sha256', KEY).update(text).digest('base64url');

function unpacked(text: string): Fields | undefined {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

export function claimsIn(payload: string): Claims | undefined {
  const fields = unpacked(payload);
  if (!fields) return undefined;
  const { sub, nbf, exp, jti } = fields as { sub: string; nbf: number; exp: number; jti: string };
  return { client: sub, from: nbf, until: exp, serial: jti };
}

export function headerIn(text: string): Fields | undefined {
  return unpacked(text.split('.')[0] ?? '');
}

function sameText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Tokens are signed, and nothing is remembered about them; they are compared as texts, spare bits included. */
export function tokenRules(world: World) {
  return {
    clientOf: (id: string, secret: string): Client | undefined =>
      world.clients.find((client) => client.id === id && client.secret === secret),
    newClaims(client: Client): Claims {
      const from = Math.floor(world.now() / 1000);
      return { client: client.id, from, until: from + 3600, serial: randomBytes(9).toString('hex') };
    },
    writeToken(claims: Claims): string {
      const { client, from, until, serial } = claims;
      const text = `${packed(HEADER)}.${packed({ iss: 'cards', sub: client, nbf: from, exp: until, jti: serial })}`;
      return `${text}.${signature(text)}`;
    },
    readToken(text: string): Claims | undefined {
      const parts = text.split('.');
      if (parts.length !== 3 || headerIn(text)?.alg !== 'HS256') return undefined;
      if (!sameText(parts[2]!, signature(`${parts[0]}.${parts[1]}`))) return undefined;
      return claimsIn(parts[1]!);
    },
    bearer(header: string | undefined): string | undefined {
      return /^bearer ([^ ]+)$/i.exec(header ?? '')?.[1];
    },
    alive: (claims: Claims): boolean => world.now() / 1000 < claims.until,
    tokenAnswer: (claims: Claims, text: string): Fields => ({
      token_type: 'Bearer',
      expires_in: claims.until - claims.from,
      not_before: claims.from,
      expires_on: claims.until,
      resource: 'urn:cards',
      access_token: text,
    }),
  } satisfies Partial<Rules>;
}
