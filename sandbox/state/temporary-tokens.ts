/** Temporary tokens that identify a card. Source: `GET /cards/{identifier}/token`. */
import { randomBytes } from 'node:crypto';
import type { Rules } from '../rules.ts';

const LIFETIME_MS = 900_000;

/** The issued temporary tokens, and the cards that they refer to. */
export class TemporaryTokens {
  readonly #rules: Rules;
  readonly #byText = new Map<string, { cardIdentifier: string; issuedAtMs: number }>();
  readonly #byCard = new Map<string, string>();

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  /** @param nowMs epoch milliseconds */
  issue(cardIdentifier: string, nowMs: number): string {
    const earlier = this.#byCard.get(cardIdentifier);
    if (this.#rules.temporaryToken === 'same' && earlier !== undefined && this.#isLive(earlier, nowMs)) return earlier;
    const text = randomBytes(18).toString('base64url');
    this.#byText.set(text, { cardIdentifier, issuedAtMs: nowMs });
    this.#byCard.set(cardIdentifier, text);
    return text;
  }

  /** The identifier of the card; `undefined` if the token is invalid or expired. @param nowMs epoch milliseconds */
  cardOf(text: string, nowMs: number): string | undefined {
    const known = this.#byText.get(text);
    if (!known || !this.#isLive(text, nowMs)) return undefined;
    if (this.#rules.temporaryTokenOnce) this.#byText.delete(text);
    return known.cardIdentifier;
  }

  #isLive(text: string, nowMs: number): boolean {
    const known = this.#byText.get(text);
    return known !== undefined && nowMs < known.issuedAtMs + LIFETIME_MS;
  }
}
