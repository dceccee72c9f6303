import type { IncomingHttpHeaders } from 'node:http';
import type { Choices } from './choices.ts';
import type { JsonObject } from './json.ts';
import { isObject } from './json.ts';
import type { OperationId } from './operation-ids.ts';
import { type Reason, Refusal } from './reasons.ts';
import type { Card, Customer, Program, Session, World } from './world.ts';

/** One request with all that is found out about it while it is answered. */
export class Exchange {
  readonly world: World;
  readonly choices: Choices;
  readonly operation: OperationId;
  readonly path: Record<string, string>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The how-manieth request of the target, and of its operation, this is. */
  readonly number: number;
  readonly turn: number;
  /** Whether the caller's token or session was looked at and found good. */
  admitted = false;
  session?: Session;
  card?: Card;
  target?: Card;
  customer?: Customer;
  program?: Program;
  cents = 0;
  content: JsonObject = {};
  /** A refusal that is answered although the effect is had. */
  late?: Refusal;

  constructor(
    world: World,
    choices: Choices,
    line: { operation: OperationId; path: Record<string, string>; query: URLSearchParams },
    headers: IncomingHttpHeaders,
    text: string,
  ) {
    this.world = world;
    this.choices = choices;
    this.operation = line.operation;
    this.path = line.path;
    this.query = line.query;
    this.headers = headers;
    this.text = text;
    this.number = world.next('request');
    this.turn = world.next(line.operation);
  }

  /** Refuses at once, whatever the choices say. */
  refuse(reason: Reason, field?: string, status?: number): never {
    throw new Refusal(reason, field, status);
  }

  /** Refuses on a condition, unless a choice overlooks it or puts it off until after the effect. */
  refuseIf(condition: boolean, reason: Reason, field?: string, status?: number): void {
    if (!condition) return;
    const refusal = new Refusal(reason, field, status);
    for (const verdict of this.choices.verdicts) {
      const given = verdict(refusal, this);
      if (given === 'overlook') return;
      if (given === 'refuse-afterwards') {
        this.late ??= refusal;
        return;
      }
    }
    throw refusal;
  }

  /** The JSON object that was sent; anything else is refused. */
  json(): JsonObject {
    let parsed: unknown;
    try {
      parsed = JSON.parse(this.text);
    } catch {
      parsed = undefined;
    }
    if (isObject(parsed)) this.content = parsed;
    else this.refuseIf(true, 'bad-body');
    return this.content;
  }

  /** A query parameter of the type integer, or nothing; other values are refused. */
  integer(name: string, reason: Reason): number | undefined {
    const value = this.query.get(name);
    if (value === null) return undefined;
    this.refuseIf(!/^-?\d+$/.test(value) || !Number.isSafeInteger(Number(value)), reason, name);
    return Number(value);
  }

  /** A query parameter of the type boolean, or nothing; other values are refused. */
  flag(name: string): boolean | undefined {
    const value = this.query.get(name);
    if (value === null) return undefined;
    this.refuseIf(value !== 'true' && value !== 'false', 'bad-flag', name);
    return value === 'true';
  }
}
