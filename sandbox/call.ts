/** One call in progress: the request, its faults and its effects. */
import { isUtf8 } from 'node:buffer';
import { type Refusal, type RefusalKind, Refused, type SandboxRequest } from './exchange.ts';
import type { Operation, OperationId } from './operations.ts';
import type { Rules } from './rules.ts';
import type { Backend } from './state/backend.ts';
import type { Card, Customer, World } from './world.ts';

/** A call of one operation, from authentication to the answer. */
export class Call {
  readonly backend: Backend;
  readonly operation: Operation;
  readonly request: SandboxRequest;
  /** Headers of a successful answer. */
  readonly headers: Record<string, string> = {};
  /** The subject of the call, for filters. */
  page: number | undefined;
  card: Card | undefined;
  customer: Customer | undefined;
  tokenAgeSeconds: number | undefined;
  /** A refusal that is answered although the call goes on to take effect. */
  deferred: Refusal | undefined;
  #judge: (() => void) | undefined;

  /**
   * @param judge validates the token or session; runs once, before the handler or, if the rules say so, before the
   * first effect
   */
  constructor(backend: Backend, operation: Operation, request: SandboxRequest, judge: (call: Call) => void) {
    this.backend = backend;
    this.operation = operation;
    this.request = request;
    this.#judge = () => judge(this);
  }

  get id(): OperationId {
    return this.operation.id;
  }

  get rules(): Rules {
    return this.backend.rules;
  }

  get world(): World {
    return this.backend.world;
  }

  get nowMs(): number {
    return this.backend.clock.nowMs();
  }

  /** The sandbox's time as RFC 3339. */
  get now(): string {
    return new Date(this.nowMs).toISOString();
  }

  /** Validates the token or session, unless that was done. @throws Refused */
  judge(): void {
    const judge = this.#judge;
    this.#judge = undefined;
    judge?.();
  }

  /**
   * Refuses the call unless `ok`.
   * @returns `ok`; false means that the rules let the call go on, so the handler must cope with the fault
   * @throws Refused
   */
  check(ok: boolean, kind: RefusalKind, name: string, message: string): boolean {
    if (ok) return true;
    const refusal: Refusal = { operation: this.id, kind, name, message, request: this.request };
    if (this.card) refusal.card = this.card;
    if (!this.rules.enforces(refusal)) return false;
    if (!this.rules.refusedStillTakesEffect(refusal)) throw new Refused(refusal);
    this.deferred ??= refusal;
    return false;
  }

  /**
   * Changes the world: immediately, later or not at all, as the rules say. @param card the card on which the change
   * shows
   */
  effect(run: () => void, card?: Card): void {
    this.judge();
    if (!this.rules.takesEffect(this.id, this.request, card)) return;
    const delayMs = this.rules.effectDelayMs(this.id);
    if (delayMs > 0) this.world.defer(this.nowMs + delayMs, card, run);
    else run();
  }

  /**
   * Makes a change that nobody reads back, such as an order: immediately, since uniqueness must hold from then on, or
   * not at all.
   */
  effectAtOnce(run: () => void): void {
    this.judge();
    if (this.rules.takesEffect(this.id, this.request, undefined)) run();
  }

  // ---- query -----------------------------------------------------------------------------------------------------

  /** A query parameter as text; `undefined` if it is absent. @throws Refused when it is required and absent */
  text(name: string, documentedRequired = false): string | undefined {
    const value = this.request.query[name];
    const absent = value === undefined || this.rules.countsAsAbsent(value, this.id, name, value === '');
    if (!absent) return value;
    if (this.rules.requires(this.id, name, documentedRequired, this.request)) {
      this.check(false, 'missing-parameter', name, `The query parameter ${name} is required.`);
    }
    return undefined;
  }

  /** A query parameter as an integer. @throws Refused when it is not an integer, or required and absent */
  integer(name: string, documentedRequired = false): number | undefined {
    const value = this.text(name, documentedRequired);
    if (value === undefined) return undefined;
    const isInteger = /^[+-]?\d+$/.test(value);
    if (this.check(isInteger, 'parameter-type', name, `${name} is an integer.`)) return Number(value);
    const parsed = Number.parseInt(value, 10);
    return Number.isNaN(parsed) ? undefined : parsed;
  }

  /** A query parameter as a boolean. @throws Refused when it is not a boolean, or required and absent */
  flag(name: string, documentedRequired = false): boolean | undefined {
    const value = this.text(name, documentedRequired);
    if (value === undefined) return undefined;
    this.check(value === 'true' || value === 'false', 'parameter-type', name, `${name} is true or false.`);
    return value === 'true';
  }

  // ---- body ------------------------------------------------------------------------------------------------------

  /**
   * The JSON object of the body; empty if an optional body is absent, or a faulty one is let through. @throws Refused
   */
  object(documentedRequired = true): Record<string, unknown> {
    const { raw } = this.request;
    if (raw.length === 0) {
      const required = this.rules.requires(this.id, 'body', documentedRequired, this.request);
      this.check(!required, 'missing-body', 'body', 'A JSON body is required.');
      return {};
    }
    const type = this.request.headers['content-type'];
    const saysJson = typeof type !== 'string' || /^application\/([a-z0-9.-]+\+)?json\s*(;|$)/i.test(type);
    this.check(saysJson, 'media-type', 'body', 'The body is application/json.');
    const { body } = this.request;
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    this.check(isObject, 'malformed-body', 'body', 'The body is a JSON object.');
    return isObject ? (body as Record<string, unknown>) : {};
  }
}

/** The JSON value of a body; `undefined` if there is none, or it is not JSON in UTF-8. */
export function parseBody(raw: Buffer): unknown {
  if (raw.length === 0 || !isUtf8(raw)) return undefined;
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return undefined;
  }
}
