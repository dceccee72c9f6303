/** Examines the token endpoint: whether it is reachable and accepts the credentials. */
import { type Answer, header, member } from '../helpers/answer.ts';
import { type Cause, causeOf, namesError } from '../helpers/client/diagnosis.ts';
import { TransportError } from '../helpers/client/http/types.ts';
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
  const cause = causeOf(probe, answer);
  if (cause?.isOfAddress) return wrongPath(probe, cause);
  if (cause) return { remarks: [fault(cause.text, cause.advice), ...clocks(answer)], remedy: {} };
  const value = String(member(answer, 'access_token'));
  const lifetime = member(answer, 'expires_in');
  const minutes = typeof lifetime === 'number' ? `, for ${Math.round(lifetime / 60)} minutes` : '';
  return {
    remarks: [good(`the credentials are accepted: a token is issued${minutes}`), ...clocks(answer)],
    remedy: {},
    token: value,
  };
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
async function wrongPath(probe: Probe, cause: Cause): Promise<TokenExamination> {
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
    return tried !== undefined && [400, 401].includes(tried.status) && namesError(tried);
  });
  if (!found) return { remarks: [fault(cause.text, cause.advice)], remedy: {} };
  const remedy: Remedy = {
    ...(found.authUrl === target.authUrl ? {} : { TARGET_AUTH_URL: found.authUrl }),
    ...(found.tokenPath === target.tokenPath ? {} : { TARGET_TOKEN_PATH: found.tokenPath }),
  };
  return { remarks: [fault(cause.text, `one answers with ${inWords(remedy)}`)], remedy };
}

/** A remedy as variable assignments. */
export const inWords = (remedy: Remedy): string =>
  Object.entries(remedy)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
