import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Answer, Call, Handler, Layer, World } from './model.ts';
import { Refusal } from './model.ts';
import { PLACES, routeOf } from './routes.ts';

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > 2_000_000) throw new Refusal(413, 'body', 'The body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return text.trim() === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Refusal(400, 'identifier', 'The path is not well encoded', 'format');
  }
}

function refused(world: World, call: Call, problem: unknown): Answer {
  const refusal =
    problem instanceof Refusal ? problem : new Refusal(500, 'server', 'Something went wrong here', 'server');
  return call.side === 'portal' ? world.rules.portalError(refusal) : world.rules.v3Errors(refusal);
}

async function safely(world: World, call: Call, work: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (problem) {
    return refused(world, call, problem);
  }
}

function layered(layers: World['outer'], call: Call, last: () => Promise<Answer>): Promise<Answer> {
  const chosen: Layer[] = layers.filter(({ covers }) => covers(call.operation)).map(({ layer }) => layer);
  const from = (index: number): Promise<Answer> => {
    const layer = chosen[index];
    return layer ? Promise.resolve().then(() => layer(call, () => from(index + 1))) : last();
  };
  return from(0);
}

function guardToken(world: World, call: Call): void {
  const text = world.rules.bearer(call.headers.authorization as string | undefined);
  const claims = text === undefined ? undefined : world.rules.readToken(text);
  call.client = claims && world.rules.alive(claims) ? world.clients.find(({ id }) => id === claims.client) : undefined;
  if (!call.client) throw new Refusal(401, 'Authorization', 'A valid access token is needed', 'unauthorized');
}

function guardSession(world: World, call: Call): void {
  const name = call.operation.slice('portal.'.length);
  if (name === 'login') return;
  const ids = call.query.getAll('sessionId');
  call.session = ids.length === 1 ? world.rules.sessionOf(ids[0]!) : undefined;
  const status = name === 'logout' || name === 'getCustomerProgramList' ? 400 : 401;
  if (!call.session) throw new Refusal(status, 'sessionId', 'The session is not valid');
  call.session.used = world.now();
  call.user = call.session.user;
  if (!world.rules.entitled(call, name)) throw new Refusal(401, 'sessionId', 'You are not entitled to this');
}

export function guard(world: World, call: Call): void {
  if (call.side === 'v3') guardToken(world, call);
  if (call.side === 'portal') guardSession(world, call);
}

async function answerTo(world: World, call: Call, handler: Handler): Promise<Answer> {
  return safely(world, call, () =>
    layered(world.outer, call, () =>
      safely(world, call, async () => {
        guard(world, call);
        call.identifier = decoded(call.identifier);
        return layered(world.inner, call, () => safely(world, call, async () => handler(world, call)));
      }),
    ),
  );
}

function send(world: World, response: ServerResponse, call: Call, answer: Answer): void {
  if (answer.lost) {
    response.destroy();
    return;
  }
  const text = answer.raw ?? (answer.body === undefined ? '' : JSON.stringify(answer.body));
  response.statusCode = answer.status;
  response.setHeader('date', new Date(world.now()).toUTCString());
  if (answer.status === 401 && call.side === 'v3') response.setHeader('www-authenticate', 'Bearer realm="cards"');
  if (text !== '') response.setHeader('content-type', 'application/json; charset=utf-8');
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  response.end(text);
}

function moveClock(world: World, text: string): Answer {
  const seconds = (parse(text) as { advanceSeconds?: unknown } | undefined)?.advanceSeconds;
  if (typeof seconds !== 'number' || !(seconds > 0)) return { status: 400, body: { reason: 'advanceSeconds > 0' } };
  world.advanced += seconds * 1000;
  return { status: 200, body: { now: new Date(world.now()).toISOString() } };
}

async function serve(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = '', search = ''] = (request.url ?? '').split(/\?(.*)/s);
  const { route, identifier, known } = routeOf(request.method ?? '', path);
  const side = route?.side ?? (path.startsWith(PLACES.portal) ? 'portal' : 'v3');
  const call: Call = {
    operation: route?.operation ?? 'unknown',
    side,
    method: request.method ?? '',
    path,
    identifier,
    query: new URLSearchParams(search),
    headers: request.headers,
    text: '',
    body: undefined,
    client: undefined,
    session: undefined,
    user: undefined,
  };
  const answer = await safely(world, call, async () => {
    call.text = await readText(request);
    if (path === PLACES.clock) return moveClock(world, call.text);
    if (!route) throw new Refusal(known ? 405 : 404, 'path', 'There is nothing here', 'unknown');
    call.body = side === 'token' ? undefined : parse(call.text);
    return answerTo(world, call, world.handlers.get(route.operation) ?? route.handler);
  });
  send(world, response, call, answer);
}

export function serverOf(world: World): Server {
  const server = createServer((request, response) => {
    serve(world, request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 65_000;
  return server;
}
