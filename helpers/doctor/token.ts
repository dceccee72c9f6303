/** Examines the token endpoint: whether it is reachable and accepts the credentials. */
import { type Answer, bodyOf, header, member, memberOf, succeeded } from '../answer.ts';
import { TransportError } from '../target/http/types.ts';
import { connectionFault, excerpt, gatewayAdvice, isHtml, isOfInterface } from './answers.ts';
import { fault, good, note, type Remark, type Remedy } from './diagnosis.ts';
import { attempted, firstWorking } from './fitting.ts';
import { explainFailure } from './network.ts';
import type { Probe } from './probe.ts';

/** `token` is set if one was issued. */
export interface TokenExamination {
  remarks: Remark[];
  remedy: Remedy;
  token?: string;
}

/** Accepted difference between two clocks, in seconds: Date has no fractions. */
const CLOCK_TOLERANCE = 2;

/** Requests a token with the configured credentials. Problems become remarks and are not thrown. */
export async function examineToken(probe: Probe): Promise<TokenExamination> {
  const { target } = probe.configuration;
  const form = {
    grant_type: target.grantType,
    scope: target.scope,
    client_id: target.clientId,
    client_secret: target.clientSecret,
  };
  let answer: Answer;
  try {
    answer = await probe.call('token.issue', { form });
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { remarks: [await explainFailure(error, target.authUrl!, 'TARGET_AUTH_URL')], remedy: {} };
  }
  const value = member(answer, 'access_token');
  if (succeeded(answer) && typeof value === 'string' && value !== '') {
    const lifetime = member(answer, 'expires_in');
    const minutes = typeof lifetime === 'number' ? `, for ${Math.round(lifetime / 60)} minutes` : '';
    return {
      remarks: [good(`the credentials are accepted: a token is issued${minutes}`), ...clocks(answer)],
      remedy: {},
      token: value,
    };
  }
  const remark = connectionFault(probe, answer, 'TARGET_AUTH_URL');
  if (remark) return { remarks: [remark], remedy: {} };
  if (answer.status === 404 || answer.status === 405 || isHtml(answer)) return wrongPath(probe, answer);
  return { remarks: [refusal(probe, answer), ...clocks(answer)], remedy: {} };
}

/** Compares the target's clock with this machine's. */
function clocks(answer: Answer): Remark[] {
  const date = Date.parse(header(answer, 'date') ?? '');
  if (Number.isNaN(date)) return [note('the clocks cannot be compared: the answer has no Date header')];
  const seconds = Math.round((date - answer.sentAt) / 1000);
  if (Math.abs(seconds) <= CLOCK_TOLERANCE) return [good("the target's clock and this machine's agree")];
  const which = seconds > 0 ? 'ahead of' : 'behind';
  return [
    note(
      `the target's clock is ${Math.abs(seconds)} s ${which} this machine's`,
      "token lifetimes are judged by the target's clock, but set the wrong clock right anyway",
    ),
  ];
}

const BY_ERROR: Record<string, string> = {
  invalid_client: 'check TARGET_CLIENT_ID and TARGET_CLIENT_SECRET',
  unauthorized_client: 'the client may not use this grant: check TARGET_CLIENT_ID and TARGET_GRANT_TYPE',
  unsupported_grant_type: 'check TARGET_GRANT_TYPE',
  invalid_grant: 'check TARGET_GRANT_TYPE, TARGET_CLIENT_ID and TARGET_CLIENT_SECRET',
  invalid_scope: 'check TARGET_SCOPE: the documents name <resource_uri>/.default',
  invalid_request: 'check TARGET_SCOPE, TARGET_GRANT_TYPE and TARGET_TENANT_PATH',
};

function refusal(probe: Probe, answer: Answer): Remark {
  const { status } = answer;
  const finding = excerpt(probe, answer);
  if (succeeded(answer))
    return fault(
      `the token endpoint issues no token: ${finding}`,
      'a run reports that as a failure and blocks the other checks',
    );
  if (status >= 500)
    return fault(`the token endpoint fails: ${finding}`, 'a run reports that as a failure and blocks the other checks');
  if (isOfInterface(answer)) {
    const code = String(memberOf(bodyOf(answer), 'error'));
    return fault(
      `the token endpoint itself refuses the credentials: ${finding}`,
      BY_ERROR[code] ?? 'check TARGET_CLIENT_ID, TARGET_CLIENT_SECRET and TARGET_SCOPE',
    );
  }
  if (status === 401 || status === 403)
    return fault(
      `the request is refused in front of the token endpoint, or not as RFC 6749 requires: ${finding}`,
      `${gatewayAdvice(probe)}; otherwise check TARGET_CLIENT_ID and TARGET_CLIENT_SECRET`,
    );
  return fault(
    `the token request is refused: ${finding}`,
    'check TARGET_CLIENT_ID, TARGET_CLIENT_SECRET, TARGET_SCOPE and TARGET_TENANT_PATH',
  );
}

const TOKEN_PATHS = [
  '/{tenant_path}/B2C_1_signupandsignin/oauth2/v2.0/token',
  '/{tenant_path}/oauth2/v2.0/token',
  '/{tenant_path}/oauth2/token',
  '/oauth2/v2.0/token',
  '/oauth2/token',
  '/oauth/token',
  '/token',
];

/** Tries other addresses without credentials: a token endpoint answers with an error as in RFC 6749 section 5.2. */
async function wrongPath(probe: Probe, answer: Answer): Promise<TokenExamination> {
  const { target } = probe.configuration;
  const { origin, pathname } = new URL(target.authUrl!);
  const cut = pathname.slice(0, Math.max(0, pathname.search(/\/[^/]*(oauth|onmicrosoft)|\/token$/)));
  const short =
    target.tenantPath && pathname.endsWith(`/${target.tenantPath}`)
      ? pathname.slice(0, -target.tenantPath.length - 1)
      : cut;
  const addresses = [...new Set([target.authUrl!, origin + short])];
  const paths = [...new Set([target.tokenPath, ...TOKEN_PATHS])].filter(
    (path) => target.tenantPath || !path.includes('{tenant_path}'),
  );
  const candidates = addresses.flatMap((authUrl) => paths.map((tokenPath) => ({ authUrl, tokenPath })));
  const found = await firstWorking(candidates, async (candidate, control) => {
    const tokenPath = control ? `${candidate.tokenPath}-no-such-path` : candidate.tokenPath;
    const tried = await attempted(
      probe.call('token.issue', { form: { grant_type: target.grantType } }, {}, { ...target, ...candidate, tokenPath }),
    );
    return tried !== undefined && [400, 401].includes(tried.status) && isOfInterface(tried);
  });
  const finding = `there is no token endpoint at the configured path: ${excerpt(probe, answer)}`;
  if (!found)
    return { remarks: [fault(finding, 'check TARGET_AUTH_URL, TARGET_TENANT_PATH and TARGET_TOKEN_PATH')], remedy: {} };
  const remedy: Remedy = {
    ...(found.authUrl === target.authUrl ? {} : { TARGET_AUTH_URL: found.authUrl }),
    ...(found.tokenPath === target.tokenPath ? {} : { TARGET_TOKEN_PATH: found.tokenPath }),
  };
  return { remarks: [fault(finding, `one answers with ${inWords(remedy)}`)], remedy };
}

/** A remedy as variable assignments. */
export const inWords = (remedy: Remedy): string =>
  Object.entries(remedy)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
