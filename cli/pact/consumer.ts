/** Consumer side of the pacts: the suite's own client sends each interaction's request to Pact's mock server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MatchersV3 as M, PactV3, PactV4, SpecificationVersion } from '@pact-foundation/pact';
import type { Operation } from '../../contracts/operation.ts';
import { operation as operationById } from '../../contracts/operations.ts';
import type { Exchange } from '../../contracts/record.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import type { Input } from '../../helpers/answer.ts';
import { readConfiguration } from '../../helpers/configuration/index.ts';
import { Run } from '../../helpers/run.ts';
import { leastBody, someObjects } from './bodies.ts';
import { CONSUMER, type Edition, exampleOf, type Interaction, isSupplied, PROVIDERS } from './interaction.ts';

/** Opts out of the usage reports of Pact's libraries. */
process.env.PACT_DO_NOT_TRACK = 'true';

/** Credentials of the consumer tests; all invented. */
const EXAMPLES = { accessToken: 'invented-access-token', sessionId: 'invented-session', tenantPath: 'tenant' };

const INVENTED_SESSION = 'surely-invented';

/**
 * A value for Pact: with a generator if the provider state supplies it, and a pattern that the consumer's value
 * matches.
 */
function template(value: unknown, pattern = '^.+$'): unknown {
  if (!isSupplied(value)) return typeof value === 'object' ? value : String(value);
  return injected(`\${${value.supplied}}`, pattern, String(value.example));
}

/** A text that the provider state fills in; the consumer's own matches the pattern. */
const injected = (expression: string, regex: string, example: string) => ({
  ...M.fromProviderState(expression, example),
  'pact:matcher:type': 'regex',
  regex,
});

/** A member of a JSON body; a value supplied by the provider state keeps its type. */
const member = (value: unknown) =>
  isSupplied(value) ? M.fromProviderState(`\${${value.supplied}}`, value.example) : value;

const mapped = (members: Readonly<Record<string, unknown>> | undefined, change: (value: unknown) => unknown) =>
  members && Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value)]));

/** The operation's address as in a pact: without `{portal_url}` and the like, as in the OpenAPI documents. */
function pathTemplate(operation: Operation, interaction: Interaction): unknown {
  const path = operation.interface === 'v1' ? `/_ah/api/${operation.path}` : operation.path;
  const [, name] = /\{(\w+)\}/.exec(path) ?? [];
  if (name === undefined) return path;
  const value =
    name === 'tenant_path' ? { supplied: 'tenantPath', example: EXAMPLES.tenantPath } : interaction.path![name];
  if (!isSupplied(value)) return path.replace(`{${name}}`, String(value));
  const at = (text: string) => path.replace(`{${name}}`, text);
  return injected(at(`\${${value.supplied}}`), `^${at('[^/]+')}$`, at(String(value.example)));
}

/** Query and headers that hold the credentials. */
function credentials({ authorisation }: Operation, { invented }: Interaction) {
  if (authorisation === 'bearer')
    return {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of Pact
      headers: { Authorization: injected('Bearer ${accessToken}', '^Bearer .+$', `Bearer ${EXAMPLES.accessToken}`) },
    };
  if (authorisation !== 'session') return {};
  return {
    query: {
      sessionId: invented ? INVENTED_SESSION : template({ supplied: 'sessionId', example: EXAMPLES.sessionId }),
    },
  };
}

/** The interaction as a consumer test of Pact; `executeTest` starts the mock server and writes the pact. */
function consumerTest(interaction: Interaction, provider: string, dir: string) {
  const operation = operationById(interaction.operation);
  const path = pathTemplate(operation, interaction) as string;
  const { headers, query } = credentials(operation, interaction);
  const queries = { ...query, ...mapped(interaction.query, (value) => template(value)) };
  const status = interaction.refused ?? operation.success!.status;
  const body = interaction.refused
    ? operation.interface === 'v3' && someObjects
    : leastBody(operation, interaction.guaranteed);
  const options = { consumer: CONSUMER, provider, dir, logLevel: 'error' as const };
  // PactV4 does not support forms with values of provider states; PactV3 writes the same file, but does not support
  // empty answers.
  if (interaction.form)
    return new PactV3({ ...options, spec: SpecificationVersion.SPECIFICATION_VERSION_V4 }).addInteraction({
      states: interaction.states.map((description) => ({ description })),
      uponReceiving: interaction.description,
      withRequest: {
        method: operation.method,
        path,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: mapped(interaction.form, member),
      },
      willRespondWith: { status, body },
    });
  let described = new PactV4(options).addInteraction().uponReceiving(interaction.description);
  for (const state of interaction.states) described = described.given(state);
  return described
    .withRequest(operation.method, path, (request) => {
      if (Object.keys(queries).length > 0) request.query(queries as Record<string, string>);
      if (headers) request.headers(headers as unknown as Record<string, string>);
      if (interaction.json) request.jsonBody(mapped(interaction.json, member));
    })
    .willRespondWith(status, (response) => {
      if (body !== undefined && body !== false) response.jsonBody(body);
    });
}

/** The input with which the suite's client makes an interaction's request. */
function inputOf(interaction: Interaction): Input {
  const examples = (members: Readonly<Record<string, unknown>> | undefined) => mapped(members, exampleOf);
  return {
    path: examples(interaction.path) as Input['path'],
    query: examples(interaction.query) as Input['query'],
    json: examples(interaction.json),
    form: examples(interaction.form) as Input['form'],
  };
}

/** A run of the suite against Pact's mock server. */
async function runAgainst(url: string, reportDir: string): Promise<Run> {
  const env = {
    TARGET_AUTH_URL: url,
    TARGET_BASE_URL: url,
    TARGET_PORTAL_URL: url,
    TARGET_TENANT_PATH: EXAMPLES.tenantPath,
    TARGET_CLIENT_ID: 'client-0001',
    TARGET_CLIENT_SECRET: 'invented',
    TARGET_ACCESS_TOKEN: EXAMPLES.accessToken,
    TARGET_PORTAL_SESSION_ID: EXAMPLES.sessionId,
    RUN_RISK: 'irreversible',
    RUN_REPORT_DIR: reportDir,
  };
  return new Run(await readConfiguration({ env, options: {}, cwd: reportDir }), []);
}

/** Must violations in the exchanges that the suite recorded. */
function mustFindings(reportDir: string): string[] {
  const lines = readFileSync(join(reportDir, 'exchanges.ndjson'), 'utf8').trim().split('\n');
  return lines
    .flatMap((line) => (JSON.parse(line) as Exchange).findings ?? [])
    .filter(({ requirement }) => requirementById(requirement).level === 'must')
    .map(({ requirement, message }) => `${requirement}: ${message}`);
}

/**
 * Plays one interaction and adds it to the pact in `dir`: the mock server checks the suite's request against the
 * interaction, and the suite checks the mock server's answer against its contracts.
 * @param reportDir an empty directory for the suite's record
 * @throws Error when either finds a violation
 */
export async function play(edition: Edition, interaction: Interaction, dir: string, reportDir: string) {
  await consumerTest(interaction, PROVIDERS[edition], dir).executeTest(async ({ url }) => {
    const run = await runAgainst(url, reportDir);
    const { authorisation } = operationById(interaction.operation);
    try {
      await run.client.call(interaction.operation, inputOf(interaction), {
        check: interaction.description,
        ...(interaction.invented && authorisation === 'session'
          ? { authorisation: { sessionId: INVENTED_SESSION }, intent: 'unauthorised' }
          : { intent: interaction.refused ? 'malformed' : 'valid' }),
      });
    } finally {
      await run.close();
    }
  });
  // Pact cannot express 'any JSON', so an answer whose shape is not shown is empty here.
  if (operationById(interaction.operation).success?.body === 'not shown') return;
  const findings = mustFindings(reportDir);
  if (findings.length > 0) throw new Error(`the answer of the pact breaks the contracts: ${findings.join('; ')}`);
}
