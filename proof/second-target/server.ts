import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Choices, Reply } from './choices.ts';
import { Exchange } from './exchange.ts';
import { handlerOf } from './handlers.ts';
import { writeJson } from './json.ts';
import { requireSession, requireToken } from './operations/guard.ts';
import { Refusal } from './reasons.ts';
import { route } from './routes.ts';
import type { World } from './world.ts';

/** Path at which the target's clock is moved. */
export const clockPath = '/clock/hand';

function guard(x: Exchange): void {
  const [resource, name] = x.operation.split('.') as [string, string];
  if (resource === 'token' || name === 'login') return;
  if (resource !== 'portal') requireToken(x);
  else if (name !== 'getCIPCheck' || x.choices.cipNeedsSession) requireSession(x);
}

function refusalReply(refusal: Refusal, x: Exchange): Reply {
  const { choices } = x;
  const status = choices.statusFor(refusal, x) ?? refusal.status ?? choices.statuses[refusal.reason];
  const body = x.operation.startsWith('portal.') ? choices.portalError(refusal, x) : choices.error(refusal, x);
  return { status, body };
}

async function carryOut(x: Exchange): Promise<Reply> {
  const { choices } = x;
  if (choices.guardFirst) guard(x);
  else x.session = { id: '', user: x.world.users[0]!, since: 0, used: 0, ended: true };
  const outcome = handlerOf(x.operation)(x);
  if (!choices.guardFirst) guard(x);
  const rules = choices.rules.filter(({ operations }) => operations.includes(x.operation));
  for (const rule of rules) x.refuseIf(rule.broken(x), 'rule', rule.field, rule.status);
  for (const pause of choices.between) {
    const pausing = pause(x);
    if (pausing) await pausing;
  }
  const reply = typeof outcome === 'function' ? outcome() : outcome;
  return x.late ? refusalReply(x.late, x) : reply;
}

async function answer(x: Exchange): Promise<Reply> {
  let reply: Reply | undefined;
  try {
    for (const hook of x.choices.before) {
      reply = (await hook(x)) ?? undefined;
      if (reply) break;
    }
    reply ??= await carryOut(x);
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    reply = refusalReply(thrown, x);
  }
  for (const hook of x.choices.after) await hook(reply, x);
  for (const hook of x.choices.last) hook(reply, x);
  return reply;
}

async function received(request: IncomingMessage): Promise<Received> {
  const { method, url, headers } = request;
  return { method, url, headers, raw: await buffer(request) };
}

/** A whole request, whether it came over a connection or not. */
export interface Received extends Pick<IncomingMessage, 'method' | 'url' | 'headers'> {
  raw: Buffer;
}

/** An answer as it is sent. */
export interface Sent {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
}

function sent(reply: Reply, choices: Choices): Sent {
  const { status, body } = reply;
  const headers: Record<string, string> = { ...choices.headers, ...reply.headers };
  if (body === undefined && reply.bytes === undefined)
    return { status, headers: { 'CONTENT-LENGTH': '0', ...headers }, bytes: Buffer.alloc(0) };
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const typed = isTyped ? headers : { 'cOnTeNt-TyPe': choices.contentType, ...headers };
  return { status, headers: typed, bytes: Buffer.from(reply.bytes ?? writeJson(body, choices.json)) };
}

function send(response: ServerResponse, { status, headers, bytes }: Sent, choices: Choices): void {
  for (const hook of choices.sent) hook(response);
  response.writeHead(status, Object.entries(headers).flat());
  for (let at = 0; at < bytes.length; at += choices.chunk) response.write(bytes.subarray(at, at + choices.chunk));
  response.end();
}

function moveClock(world: World, text: string): Reply {
  const seconds = Number(JSON.parse(text).advanceSeconds);
  if (!(seconds > 0)) return { status: 400 };
  world.advance(seconds);
  return { status: 202 };
}

/** Answers a request. */
export async function respond(request: Received, world: World, choices: Choices): Promise<Sent> {
  const url = new URL(request.url ?? '/', 'http://here');
  const text = request.raw.toString();
  if (url.pathname === clockPath) return sent(moveClock(world, text), choices);
  const found = route(request.method ?? '', url.pathname);
  if (!found) return sent({ status: 404, body: choices.error(new Refusal('no-route'), {} as Exchange) }, choices);
  const x = new Exchange(world, choices, { ...found, query: url.searchParams }, request.headers, text);
  return sent(await answer(x), choices);
}

/** Serves a world over HTTP on a free port of loopback. */
export async function serve(world: World, choices: Choices): Promise<{ server: Server; origin: string }> {
  const server = createServer(async (request, response) => {
    try {
      send(response, await respond(await received(request), world, choices), choices);
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error));
      response.destroy();
    }
  });
  for (const hook of choices.served) hook(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
