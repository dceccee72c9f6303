import type { IncomingHttpHeaders } from 'node:http';
import type { Choices } from './choices.ts';
import type { JsonObject } from './json.ts';
import { isObject } from './json.ts';
import type { OperationId } from './operation-ids.ts';
import { type Reason, Refusal } from './reasons.ts';
import type { Card, Customer, Program, Session, World } from './world.ts';

/** One request, with the state that its processing collects. */
export class Exchange {
  readonly world: World;
  readonly choices: Choices;
  readonly operation: OperationId;
  readonly path: Record<string, string>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Ordinal among all requests to the target, from 1. */
  readonly number: number;
  /** Ordinal among the requests of its operation, from 1. */
  readonly turn: number;
  /** Whether the caller's token or session was checked and accepted. */
  admitted = false;
  session?: Session;
  card?: Card;
  target?: Card;
  customer?: Customer;
  program?: Program;
  cents = 0;
  content: JsonObject = {};
  /** A refusal to answer after the effect has taken place anyway. */
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

  /** Refuses regardless of the choices. */
  refuse(reason: Reason, field?: string, status?: number): never {
    throw new Refusal(reason, field, status);
  }

  /** Refuses on a condition, unless a choice drops the refusal or postpones it until after the effect. */
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

  /** Parses the body as a JSON object, and refuses anything else. */
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

  /** Reads an integer query parameter, and refuses other values; undefined when it is absent. */
  integer(name: string, reason: Reason): number | undefined {
    const value = this.query.get(name);
    if (value === null) return undefined;
    this.refuseIf(!/^-?\d+$/.test(value) || !Number.isSafeInteger(Number(value)), reason, name);
    return Number(value);
  }

  /** Reads a boolean query parameter, and refuses other values; undefined when it is absent. */
  flag(name: string): boolean | undefined {
    const value = this.query.get(name);
    if (value === null) return undefined;
    this.refuseIf(value !== 'true' && value !== 'false', 'bad-flag', name);
    return value === 'true';
  }
}
