import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Choices, Reply } from './choices.ts';
import { Exchange } from './exchange.ts';
import { handlers } from './handlers.ts';
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
  const outcome = handlers[x.operation](x);
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

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, reply: Reply, choices: Choices): void {
  const headers: Record<string, string> = { ...choices.headers, ...reply.headers };
  for (const hook of choices.sent) hook(response);
  const bare = reply.body === undefined && reply.bytes === undefined;
  if (bare) {
    response.writeHead(reply.status, Object.entries({ 'CONTENT-LENGTH': '0', ...headers }).flat());
    response.end();
    return;
  }
  const bytes = Buffer.from(reply.bytes ?? writeJson(reply.body, choices.json));
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const type = isTyped ? {} : { 'cOnTeNt-TyPe': choices.contentType };
  response.writeHead(reply.status, Object.entries({ ...type, ...headers }).flat());
  for (let at = 0; at < bytes.length; at += choices.chunk) response.write(bytes.subarray(at, at + choices.chunk));
  response.end();
}

function moveClock(world: World, text: string): Reply {
  const seconds = Number(JSON.parse(text).advanceSeconds);
  if (!(seconds > 0)) return { status: 400 };
  world.advance(seconds);
  return { status: 202 };
}

async function respond(request: IncomingMessage, world: World, choices: Choices): Promise<Reply> {
  const url = new URL(request.url ?? '/', 'http://here');
  const text = await textOf(request);
  if (url.pathname === clockPath) return moveClock(world, text);
  const found = route(request.method ?? '', url.pathname);
  if (!found) return { status: 404, body: choices.error(new Refusal('no-route'), {} as Exchange) };
  return answer(new Exchange(world, choices, { ...found, query: url.searchParams }, request.headers, text));
}

/** Serves a world over HTTP on a free port of loopback. */
export async function serve(world: World, choices: Choices): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    respond(request, world, choices)
      .then((reply) => send(response, reply, choices))
      .catch((error: unknown) => {
        process.emitWarning(error instanceof Error ? error : String(error));
        response.destroy();
      });
  });
  for (const hook of choices.served) hook(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { server, origin: `http://127.0.0.1:${address.port}` };
}
