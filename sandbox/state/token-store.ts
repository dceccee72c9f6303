/** Stores the issued access tokens, and classifies texts that are not valid tokens. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Rules } from '../rules.ts';

/** An issued token. */
export interface AccessToken {
  text: string;
  /** Epoch milliseconds. */
  issuedAtMs: number;
  uses: number;
}

/** The classification of a text; `token` is the real one that it is or was derived from. */
export interface Recognised {
  as: 'live' | 'expired' | 'invented' | 'altered' | 'altered-payload' | 'altered-signature';
  token: AccessToken | undefined;
}

const edgeLength = 8;

/** All issued tokens. */
export class TokenStore {
  readonly #rules: Rules;
  readonly #key = randomBytes(32);
  readonly #tokens = new Map<string, AccessToken>();
  /**
   * Beginnings and ends of opaque tokens, payloads and signatures of signed ones, to tell altered from invented ones.
   */
  readonly #parts = new Map<string, AccessToken>();
  #latest: AccessToken | undefined;

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  /** Issues a token that is valid from now on. @param nowMs epoch milliseconds */
  issue(nowMs: number): AccessToken {
    const { tokenReuse, tokenFormat } = this.#rules;
    if (tokenReuse !== 'new' && this.#latest) {
      const endMs = this.#latest.issuedAtMs + this.#rules.tokenLifetimeSeconds('token.issue') * 1000;
      if (endMs - nowMs > tokenReuse.sameWhileSecondsRemain * 1000) return this.#latest;
    }
    const text = tokenFormat === 'jwt' ? this.#signed(nowMs) : randomBytes(33).toString('base64url');
    const token: AccessToken = { text, issuedAtMs: nowMs, uses: 0 };
    this.#tokens.set(text, token);
    this.#latest = token;
    const [, payload, signature] = text.split('.');
    this.#parts.set(payload ?? text.slice(0, edgeLength), token);
    this.#parts.set(signature ?? text.slice(-edgeLength), token);
    return token;
  }

  /** @param lifetimeSeconds lifetime of a token for this operation @param nowMs epoch milliseconds */
  recognise(text: string, lifetimeSeconds: number, nowMs: number): Recognised {
    const token = this.#tokens.get(text);
    if (token) {
      const expired = token.uses >= this.#rules.tokenMaxUses || nowMs >= token.issuedAtMs + lifetimeSeconds * 1000;
      token.uses += 1;
      return { as: expired ? 'expired' : 'live', token };
    }
    const [, payload, signature] = text.split('.');
    if (payload !== undefined && signature !== undefined) {
      const samePayload = this.#parts.get(payload);
      if (samePayload) return { as: 'altered-signature', token: samePayload };
      const sameSignature = this.#parts.get(signature);
      return { as: sameSignature ? 'altered-payload' : 'invented', token: sameSignature };
    }
    const source = this.#parts.get(text.slice(0, edgeLength)) ?? this.#parts.get(text.slice(-edgeLength));
    return { as: source ? 'altered' : 'invented', token: source };
  }

  #signed(nowMs: number): string {
    const issuedAt = Math.floor(nowMs / 1000);
    const claims = {
      iss: 'sandbox',
      sub: 'partner',
      iat: issuedAt,
      nbf: issuedAt,
      exp: issuedAt + this.#rules.tokenLifetimeSeconds('token.issue'),
      jti: randomBytes(12).toString('hex'),
    };
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
    return `${signed}.${createHmac('sha256', this.#key).update(signed).digest('base64url')}`;
  }
}
