/** Plays the requests of a run again, to the sound target and to a mutant, and tells in what their answers differ. */
import type { SuccessBody } from '../../contracts/operation.ts';
import { operation } from '../../contracts/operations.ts';
import { isObject } from '../../helpers/answer.ts';
import { type Outline, outlineOf, withoutUnset } from '../../helpers/contract-rules/outline.ts';
import type { ReadRequest } from '../../sandbox/http/respond.ts';
import { NOWHERE, type Unserved, type Whole } from '../selfcheck/direct.ts';
import type { Given } from '../selfcheck/run-suite.ts';
import { drawFor } from './chance.ts';
import { namesIn, Spelling } from './spelling.ts';

/** A request of a run, and when it was sent, in milliseconds since the epoch. */
export interface Played extends ReadRequest {
  at: number;
  /** The operation that it calls; undefined for none. */
  operation?: string | undefined;
}

/** What the sound target answers. */
export interface Sound {
  requests: readonly Played[];
  /** With the names that each gives. */
  answers: { answer: Whole; names: string[] }[];
  fixtures: unknown;
}

/** A target that keeps what it is asked. */
export function keeping({ unserved, ...given }: Given, requests: Played[]): Given & { unserved: Unserved } {
  drawFor(0);
  const respond: Unserved['respond'] = (request) => {
    drawFor(requests.push({ ...request, at: Date.now() }));
    return unserved!.respond(request);
  };
  return { ...given, unserved: { respond } };
}

interface Player {
  begins(fixtures: unknown): void;
  spelled?(text: string): string;
  answered(answer: Whole, request: Played, number: number): void;
}

/** Makes a target and asks it, with the time and the chance that each request had. */
async function play(make: () => Given, requests: readonly Played[], player: Player): Promise<void> {
  const { now } = Date;
  const { spelled = (text) => text } = player;
  try {
    let { at } = requests[0]!;
    Date.now = () => at;
    drawFor(0);
    const { unserved, fixtures } = make();
    player.begins(fixtures);
    for (const [number, request] of requests.entries()) {
      at = request.at;
      drawFor(number + 1);
      const { method, url, headers, raw } = request;
      const { authorization } = headers;
      const spelledHeaders = authorization ? { ...headers, authorization: spelled(authorization) } : { ...headers };
      const body = Buffer.from(spelled(raw.toString('latin1')), 'latin1');
      const asked = { method, url: spelled(url), headers: spelledHeaders, raw: body };
      player.answered(await answerOf(unserved!, asked), request, number);
    }
  } finally {
    Date.now = now;
  }
}

/** The answer to a request; status 0 where a target breaks down. */
async function answerOf(target: Unserved, request: ReadRequest): Promise<Whole> {
  try {
    return await target.respond(request);
  } catch {
    return { status: 0, headers: {}, bytes: Buffer.alloc(0) };
  }
}

/** Asks the sound target. */
export async function playSound(make: () => Given, requests: readonly Played[]): Promise<Sound> {
  const sound: Sound = { requests, answers: [], fixtures: undefined };
  await play(make, requests, {
    begins: (fixtures) => {
      sound.fixtures = fixtures;
    },
    answered: (answer) => sound.answers.push({ answer, names: namesOf(answer) }),
  });
  return sound;
}

/**
 * In what the answers of a mutant differ from those of the sound target, each way once. Not how names are spelled, how refusals are worded
 * (reading 9), what is undocumented or unset (readings 4 and 45), and headers.
 */
export async function differencesOf(make: () => Given, { requests, answers, fixtures }: Sound): Promise<string[]> {
  const differences = new Set<string>();
  const spelling = new Spelling();
  await play(make, requests, {
    begins: (own) => {
      spelling.learn([...namesIn(fixtures, true)], [...namesIn(own, true)]);
      if (spelling.toSound(JSON.stringify(own)) !== JSON.stringify(fixtures)) differences.add('other fixtures');
    },
    spelled: (text) => spelling.toMutant(text),
    answered: (answer, { operation: id, url }, number) => {
      const { answer: sound, names } = answers[number]!;
      const isSame = answer.status === sound.status && answer.bytes.equals(sound.bytes);
      spelling.learn(names, isSame ? names : namesOf(answer));
      if (isSame) return;
      const body = id === undefined ? undefined : operation(id).success?.body;
      for (const difference of between(body, sound, answer, spelling))
        differences.add(`${id}${parametersOf(url)} ${difference}`);
    },
  });
  return [...differences];
}

/** The parameters that a request gives besides its session: `?byProxy,isDigital`. */
function parametersOf(url: string): string {
  const names = new Set([...new URL(url, NOWHERE).searchParams.keys()].filter((name) => name !== 'sessionId'));
  return names.size === 0 ? '' : `?${[...names].sort()}`;
}

/** The names that a success gives. */
const namesOf = (answer: Whole) => (succeeded(answer) ? [...namesIn(jsonOf(answer))] : []);

const succeeded = ({ status }: Whole) => status >= 200 && status < 300;

function* between(body: SuccessBody | undefined, sound: Whole, mutant: Whole, spelling: Spelling): Iterable<string> {
  if (succeeded(sound) && !succeeded(mutant)) yield `refuses: ${saidBy(mutant)}`;
  else if (!succeeded(sound) && succeeded(mutant)) yield `accepts: ${saidBy(sound)}`;
  else if (sound.status !== mutant.status)
    yield `answers ${mutant.status} for ${sound.status}${succeeded(sound) ? '' : `: ${saidBy(sound)}`}`;
  else if (succeeded(sound) && typeof body === 'object') {
    const outline = outlineOf(body);
    const own = JSON.parse(spelling.toSound(JSON.stringify(jsonOf(mutant) ?? null)));
    yield* inside(outline, withoutUnset(outline, jsonOf(sound)), withoutUnset(outline, own));
  }
}

/** In what two bodies differ, by what is documented of them. */
function* inside({ members, items }: Outline, sound: unknown, mutant: unknown, path = ''): Iterable<string> {
  if (JSON.stringify(sound) === JSON.stringify(mutant)) return;
  if (items && Array.isArray(sound) && Array.isArray(mutant)) {
    if (sound.length !== mutant.length) yield `${mutant.length < sound.length ? 'fewer' : 'more'} ${path}`;
    else if (sorted(sound) === sorted(mutant)) yield `another order of ${path}`;
    else for (const [index, item] of sound.entries()) yield* inside(items, item, mutant[index], path);
  } else if (members && isObject(sound) && isObject(mutant))
    for (const [name, { outline }] of members) yield* inside(outline, sound[name], mutant[name], `${path}.${name}`);
  else if (mutant === undefined) yield `no ${path}`;
  else yield `another ${path}`;
}

const sorted = (items: readonly unknown[]) => JSON.stringify(items.map((item) => JSON.stringify(item)).sort());

function jsonOf({ bytes }: Whole): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return bytes.length === 0 ? undefined : bytes.toString();
  }
}

/** What a refusal says: the texts in it, which name its reason. */
const saidBy = (refusal: Whole): string => [...textsIn(jsonOf(refusal))].join(' ');

function* textsIn(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) yield* textsIn(item);
}
