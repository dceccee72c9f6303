/** Provider side of the pacts: Pact's Verifier verifies one interaction at a time. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '../../contracts/operation.ts';
import { operation } from '../../contracts/operations.ts';
import type { Risk, Verdict } from '../../contracts/record.ts';
import { writeWholeFile } from '../../files/write.ts';
import { allows, operationInScope } from '../../helpers/configuration/scope.ts';
import { Context } from '../../helpers/context.ts';
import type { Run } from '../../helpers/run.ts';
import { verdictOf } from '../../helpers/runner/outcome.ts';
import { skip } from '../../helpers/verdict.ts';
import { Forwarder, mayBeRefused } from './forwarder.ts';
import { type Edition, type Interaction, isSupplied, PROVIDERS } from './interaction.ts';
import { interactions } from './interactions.ts';
import { type Supply, suppliers } from './states.ts';
import type { PactVerifier } from './verifier.ts';

/** The result of one interaction. */
export interface PactResult {
  provider: string;
  interaction: string;
  operation: string;
  verdict: Verdict;
  /** The mismatches, or why it was not verified; empty if it passed. */
  message: string;
  /** Ids in the exchanges.ndjson beside it. */
  exchanges: string[];
}

/** The part of a pact that is used here. */
export interface Pact {
  interactions: { description: string }[];
}

/**
 * Verifies interactions of one pact, in order, against the target of a run.
 * @param verifier used by nothing else meanwhile
 * @param directory holds the files passed to the Verifier
 * @param onResult called with each result as soon as it is known
 */
export async function verifyPact(
  run: Run,
  edition: Edition,
  { pact, interactions }: { pact: Pact; interactions: readonly Interaction[] },
  verifier: PactVerifier,
  directory: string,
  onResult: (result: PactResult) => void,
): Promise<void> {
  const forwarder = new Forwarder();
  const url = await forwarder.listen();
  const file = join(directory, 'interaction.json');
  try {
    for (const interaction of interactions)
      onResult(await verifyInteraction(run, edition, interaction, { pact, file, url, forwarder, verifier }));
  } finally {
    forwarder.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Means {
  pact: Pact;
  /** Where the pact with one interaction alone is put. */
  file: string;
  /** Where the forwarder listens. */
  url: string;
  forwarder: Forwarder;
  verifier: PactVerifier;
}

/**
 * Verifies an interaction. A mismatch is verified again with new credentials after the settle time, since a target may
 * have a cool-down, and a token or session may have expired; a match then is inconclusive. So is a refused wrong
 * request if the target now refuses a right one as well: it may have locked the caller, or have a limit of its own.
 */
async function verifyInteraction(
  run: Run,
  edition: Edition,
  interaction: Interaction,
  means: Means,
): Promise<PactResult> {
  const first = await tryInteraction(run, edition, interaction, means);
  if (first.verdict !== 'failed' || mayBeRefused(interaction, operation(interaction.operation))) return first;
  try {
    await renewCredentials(run, operation(interaction.operation));
    await rest(run, operation(interaction.operation));
  } catch (error) {
    const { verdict, message } = verdictOf(error);
    return { ...first, verdict, message: `${first.message}; and then ${run.redactor.text(message)}` };
  }
  const again = await tryInteraction(run, edition, interaction, means);
  const inconclusive = (message: string): PactResult => ({ ...again, verdict: 'inconclusive', message });
  if (again.verdict === 'passed')
    return inconclusive(`it matches only when verified again; at first: ${first.message}`);
  const right = interaction.refused && rightOf(edition, interaction.operation);
  const control = right && (await tryInteraction(run, edition, right, means));
  if (!control || ['passed', 'skipped'].includes(control.verdict)) return first;
  return inconclusive(`${first.message}; and '${control.interaction}' is ${control.verdict}: ${control.message}`);
}

/** Waits until the target has forgotten what was wrong with requests before (reading 51). */
async function rest(run: Run, { interface: of }: Operation): Promise<void> {
  const quiet = run.quietOf(of);
  quiet.disturb();
  await new Context(run, 'pact').pause(quiet.restMs(run.configuration.run.settleMs));
}

async function renewCredentials({ client: { tokens, sessions } }: Run, { authorisation }: Operation): Promise<void> {
  if (authorisation === 'bearer' && tokens.renewable) await tokens.renew(await tokens.current());
  if (authorisation === 'session' && sessions.renewable) await sessions.renew(await sessions.current());
}

/** A read-only interaction of the operation with a valid request. */
const rightOf = (edition: Edition, of: string): Interaction | undefined =>
  operation(of).risk === 'safe'
    ? interactions[edition].find((one) => one.operation === of && !one.refused && !one.invented)
    : undefined;

async function tryInteraction(run: Run, edition: Edition, interaction: Interaction, means: Means): Promise<PactResult> {
  const context = new Context(run, `pact: ${interaction.description}`);
  const result = (verdict: PactResult['verdict'], message: string): PactResult => ({
    provider: PROVIDERS[edition],
    interaction: interaction.description,
    operation: interaction.operation,
    verdict,
    message: run.redactor.text(message),
    exchanges: [...new Set(context.exchanges)],
  });
  try {
    const supplies = await supply(context, interaction);
    const mismatches = await verify(context, interaction, supplies, PROVIDERS[edition], means);
    if (interaction.operation === 'portal.logout') {
      const { sessions } = run.client;
      await sessions.forget((await sessions.current()).id);
    }
    return mismatches === '' ? result('passed', '') : result('failed', mismatches);
  } catch (error) {
    const { verdict, message } = verdictOf(error);
    return result(verdict, message);
  } finally {
    await context.end();
  }
}

/**
 * Checks that an interaction may be tried, and gathers what its states supply. @throws Skipped, Inconclusive, Blocked
 */
async function supply(context: Context, interaction: Interaction): Promise<Map<string, Supply>> {
  const { configuration } = context.run;
  if (!operationInScope(configuration, interaction.operation)) skip(`${interaction.operation} is not in scope`);
  const risk = riskOf(context, interaction);
  if (!allows(configuration.run.risk, risk)) skip(`needs RUN_RISK=${risk}`);
  const supplies = new Map<string, Supply>();
  for (const state of interaction.states) supplies.set(state, await suppliers[state]!(context, interaction));
  return supplies;
}

/** The risk of an interaction. Permissions are restored if the fixtures file gives their values. */
function riskOf({ fixtures }: Context, interaction: Interaction): Risk {
  const undone = interaction.operation === 'users.setPermissions' && fixtures.users?.writableCustomerPermissions;
  return undone ? 'reversible' : operation(interaction.operation).risk;
}

/** @returns the mismatches, empty if there are none. @throws Skipped, Inconclusive, Blocked */
async function verify(
  context: Context,
  interaction: Interaction,
  supplies: Map<string, Supply>,
  provider: string,
  { pact, file, url, forwarder, verifier }: Means,
): Promise<string> {
  const only = pact.interactions.filter(({ description }) => description === interaction.description);
  writeWholeFile(file, JSON.stringify({ ...pact, interactions: only }));
  const body = [...supplies.values()].find((given) => given.body)?.body;
  forwarder.expect({ interaction, context, body });
  const states = Object.fromEntries(
    [...supplies].map(([state, { values = {} }]) => [state, encodedForPath(interaction, values)]),
  );
  const mismatches = await verifier.verify({ provider, url, file, states });
  forwarder.done();
  return mismatches;
}

/** Percent-encodes values for paths, since the Verifier inserts them verbatim. */
function encodedForPath(
  { path = {} }: Interaction,
  values: NonNullable<Supply['values']>,
): NonNullable<Supply['values']> {
  const inPath = new Set(Object.values(path).map((value) => isSupplied(value) && value.supplied));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, inPath.has(name) ? encodeURIComponent(value) : value]),
  );
}
