/** Provider side of the pacts: each interaction is verified by Pact's Verifier, one at a time. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '../../contracts/operation.ts';
import { operation } from '../../contracts/operations.ts';
import type { Risk, Verdict } from '../../contracts/record.ts';
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

/** What came of one interaction. */
export interface PactResult {
  provider: string;
  interaction: string;
  operation: string;
  verdict: Verdict;
  /** What does not match, or why it was not verified; empty when passed. */
  message: string;
  /** Ids of exchanges in exchanges.ndjson beside. */
  exchanges: string[];
}

/** A pact, as far as it is looked into. */
export interface Pact {
  interactions: { description: string }[];
}

/**
 * Verifies interactions of one pact against the target of a run, in their order.
 * @param verifier which does nothing else meanwhile
 * @param directory for what is handed to the Verifier
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
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'interaction.json');
  try {
    for (const interaction of interactions)
      onResult(await verifyInteraction(run, edition, interaction, { pact, file, url, forwarder, verifier }));
  } finally {
    forwarder.close();
    rmSync(directory, { recursive: true });
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
 * What does not match is verified once more, with new credentials and after the settle time: a target may have a cool-down, and a token or a
 * session may have ended. That it matches then is no success, and earns no accusation either. Nor does a refusal of a wrong request by
 * a target that refuses now what is right, too: it may have locked the caller, or have a limit of its own.
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
    await new Context(run, 'pact').settle();
  } catch (error) {
    const { verdict, message } = verdictOf(error);
    return { ...first, verdict, message: `${first.message}; and then ${run.redactor.text(message)}` };
  }
  const again = await tryInteraction(run, edition, interaction, means);
  const inconclusive = (message: string): PactResult => ({ ...again, verdict: 'inconclusive', message });
  if (again.verdict === 'passed')
    return inconclusive(`it matches when it is verified again: at first ${first.message}`);
  const right = interaction.refused && rightOf(edition, interaction.operation);
  const control = right && (await tryInteraction(run, edition, right, means));
  if (!control || ['passed', 'skipped'].includes(control.verdict)) return first;
  return inconclusive(`${first.message}; and '${control.interaction}' is ${control.verdict}: ${control.message}`);
}

async function renewCredentials({ client: { tokens, sessions } }: Run, { authorisation }: Operation): Promise<void> {
  if (authorisation === 'bearer' && tokens.renewable) await tokens.renew(await tokens.current());
  if (authorisation === 'session' && sessions.renewable) await sessions.renew(await sessions.current());
}

/** An interaction of the operation whose request is right, and changes nothing. */
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

/** Whether an interaction may be tried, and what its states supply. @throws Skipped, Inconclusive, Blocked */
async function supply(context: Context, interaction: Interaction): Promise<Map<string, Supply>> {
  const { configuration } = context.run;
  if (!operationInScope(configuration, interaction.operation)) skip(`${interaction.operation} is not in scope`);
  const risk = riskOf(context, interaction);
  if (!allows(configuration.run.risk, risk)) skip(`needs RUN_RISK=${risk}`);
  const supplies = new Map<string, Supply>();
  for (const state of interaction.states) supplies.set(state, await suppliers[state]!(context, interaction));
  return supplies;
}

/** Permissions that the fixtures file gives the values of are put back. */
function riskOf({ fixtures }: Context, interaction: Interaction): Risk {
  const undone = interaction.operation === 'users.setPermissions' && fixtures.users?.writableCustomerPermissions;
  return undone ? 'reversible' : operation(interaction.operation).risk;
}

/** @returns what does not match, empty when all does. @throws Skipped, Inconclusive, Blocked */
async function verify(
  context: Context,
  interaction: Interaction,
  supplies: Map<string, Supply>,
  provider: string,
  { pact, file, url, forwarder, verifier }: Means,
): Promise<string> {
  const only = pact.interactions.filter(({ description }) => description === interaction.description);
  writeFileSync(file, JSON.stringify({ ...pact, interactions: only }));
  const body = [...supplies.values()].find((given) => given.body)?.body;
  forwarder.expect({ interaction, context, body });
  const states = Object.fromEntries(
    [...supplies].map(([state, { values = {} }]) => [state, encodedForPath(interaction, values)]),
  );
  const mismatches = await verifier.verify({ provider, url, file, states });
  forwarder.done();
  return mismatches;
}

/** The Verifier puts values into a path as they are, so those that go there are percent-encoded. */
function encodedForPath(
  { path = {} }: Interaction,
  values: NonNullable<Supply['values']>,
): NonNullable<Supply['values']> {
  const inPath = new Set(Object.values(path).map((value) => isSupplied(value) && value.supplied));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, inPath.has(name) ? encodeURIComponent(value) : value]),
  );
}
