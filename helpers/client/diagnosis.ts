/** Why credentials give nothing: tells the interface's own refusals from those of something in front of it. */
import type { Redactor } from '../../redaction/redactor.ts';
import { type Answer, bodyOf, header, isObject, member, memberOf, succeeded } from '../answer.ts';
import type { Configuration } from '../configuration/types.ts';

/** What an answer that cannot be used shows, and what to do about it. */
export interface Cause {
  /** What was answered, redacted. */
  text: string;
  advice: string;
  /** Whether there may be nothing of the interface at the configured address. */
  isOfAddress?: boolean;
}

interface Party {
  readonly configuration: Configuration;
  readonly redactor: Redactor;
}

/** Number of characters shown of an answer's text. */
const SHOWN = 160;

/** The answer in one line: its status, and the title or text of its body. */
export function excerpt({ redactor }: Party, answer: Answer): string {
  const mediaType = header(answer, 'content-type') ?? '';
  const text = answer.bytes.toString('utf8');
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1]?.trim();
  const shown = isHtml(answer) ? `HTML${title ? ` titled "${title}"` : ''}` : redactor.body(text, mediaType).text;
  const line = redactor.text(shown.replace(/\s+/g, ' ').trim());
  return `status ${answer.status}${line ? `, ${line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line}` : ', no body'}`;
}

/** Whether the answer is HTML, by its Content-Type or its beginning: of a login page or gateway. */
export function isHtml(answer: Answer): boolean {
  return (
    /html/i.test(header(answer, 'content-type') ?? '') ||
    /^\s*<(!doctype|html)/i.test(answer.bytes.toString('utf8', 0, 200))
  );
}

/** Whether a 401 or 403 clearly comes from the interface itself; it may come from a gateway in front of it. */
function isOfInterface(answer: Answer): boolean {
  if (answer.operation.interface === 'token') return namesError(answer);
  if (/\bbearer\b/i.test(header(answer, 'www-authenticate') ?? '')) return true;
  const body = bodyOf(answer);
  const shown = Array.isArray(body) ? body[0] : undefined;
  return isObject(shown) && ['errorCode', 'errorMessage', 'fieldName'].some((name) => name in shown);
}

/** Whether the answer is an error of RFC 6749 section 5.2: that of a token endpoint. */
export const namesError = (answer: Answer): boolean => typeof memberOf(bodyOf(answer), 'error') === 'string';

/** Why the answer to a token request, a login, or a request in their name cannot be used; undefined if it can. */
export function causeOf(party: Party, answer: Answer): Cause | undefined {
  const { interface: of, id } = answer.operation;
  const given = { 'token.issue': 'access_token', 'portal.login': 'sessionId' }[id];
  const value = given === undefined ? undefined : member(answer, given);
  const isUsable = given === undefined ? isObject(bodyOf(answer)) : typeof value === 'string' && value !== '';
  if (succeeded(answer) && isUsable) return undefined;
  const { what, ...cause } = onTheWay(answer) ?? { token: ofToken, v3: ofBase, v1: ofPortal }[of](party, answer);
  const to = answer.status >= 300 && answer.status < 400 ? header(answer, 'location') : undefined;
  const found = `${id} answers ${excerpt(party, answer)}${to ? `, Location ${party.redactor.url(to)}` : ''}`;
  return { ...cause, text: what === undefined ? found : `${what}: ${found}` };
}

/** A cause; `what` comes before what was answered. */
type Diagnosed = Omit<Cause, 'text'> & { what?: string };

/** A fault between the suite and the interface, whatever the operation. */
function onTheWay({ status, operation }: Answer): Diagnosed | undefined {
  const variable = { token: 'TARGET_AUTH_URL', v3: 'TARGET_BASE_URL', v1: 'TARGET_PORTAL_URL' }[operation.interface];
  if (status >= 300 && status < 400)
    return {
      advice: `redirects are not followed: set ${variable} to where they lead, or check whether a login page or gateway is in front of the target`,
    };
  if (status === 407)
    return {
      advice: 'the proxy requires credentials: put them into HTTP_PROXY or HTTPS_PROXY as http://user:password@host',
    };
  if ([429, 502, 503, 504].includes(status))
    return { advice: 'the target is not available now: try again, or let the run wait with --wait-for-target SECONDS' };
  return undefined;
}

const isNothingThere = (answer: Answer): boolean => answer.status === 404 || answer.status === 405 || isHtml(answer);

const BY_ERROR: Record<string, string> = {
  invalid_client: 'check TARGET_CLIENT_ID and TARGET_CLIENT_SECRET',
  unauthorized_client: 'the client may not use this grant: check TARGET_CLIENT_ID and TARGET_GRANT_TYPE',
  unsupported_grant_type: 'check TARGET_GRANT_TYPE',
  invalid_grant: 'check TARGET_GRANT_TYPE, TARGET_CLIENT_ID and TARGET_CLIENT_SECRET',
  invalid_scope: 'check TARGET_SCOPE: the documents name <resource_uri>/.default',
  invalid_request: 'check TARGET_SCOPE, TARGET_GRANT_TYPE and TARGET_TENANT_PATH',
};
const NO_FAULT_OF_SCOPE = ['invalid_client', 'unauthorized_client', 'unsupported_grant_type'];
const JUDGED = 'a run reports that as a failure and blocks the other checks';

function ofToken(party: Party, answer: Answer): Diagnosed {
  const { status } = answer;
  if (isNothingThere(answer))
    return {
      what: 'there is no token endpoint at the configured path',
      advice: 'check TARGET_AUTH_URL, TARGET_TENANT_PATH and TARGET_TOKEN_PATH',
      isOfAddress: true,
    };
  if (succeeded(answer)) return { what: 'the token endpoint issues no token', advice: JUDGED };
  if (status >= 500) return { what: 'the token endpoint fails', advice: JUDGED };
  if (isOfInterface(answer)) {
    const code = String(memberOf(bodyOf(answer), 'error'));
    const isForWantOfScope = party.configuration.target.scope === undefined && !NO_FAULT_OF_SCOPE.includes(code);
    return {
      what: 'the token endpoint itself refuses the client',
      advice: `${BY_ERROR[code] ?? 'check TARGET_CLIENT_ID, TARGET_CLIENT_SECRET and TARGET_SCOPE'}${isForWantOfScope ? '; TARGET_SCOPE is not set, and the documents name <resource_uri>/.default' : ''}`,
    };
  }
  if (status === 401 || status === 403)
    return {
      what: 'the request is refused in front of the token endpoint, or not as RFC 6749 requires',
      advice: `${gatewayAdvice(party)}; otherwise check TARGET_CLIENT_ID and TARGET_CLIENT_SECRET`,
    };
  return {
    what: 'the token request is refused',
    advice: 'check TARGET_CLIENT_ID, TARGET_CLIENT_SECRET, TARGET_SCOPE and TARGET_TENANT_PATH',
  };
}

function ofBase(party: Party, answer: Answer): Diagnosed {
  if (answer.status === 401 || answer.status === 403) {
    if (!isOfInterface(answer)) return { advice: gatewayAdvice(party) };
    return {
      advice:
        party.configuration.target.accessToken === undefined
          ? 'the interface itself refuses the token: check TARGET_SCOPE, which determines what the token is for, and what the client may do'
          : 'the interface itself refuses TARGET_ACCESS_TOKEN: it may have expired (after 60 minutes), or be for something else',
    };
  }
  if (!isNothingThere(answer) && !succeeded(answer)) return { advice: 'a run reports that as a failure' };
  return {
    advice:
      'check the path of TARGET_BASE_URL: customers belong at {base_url}/users/customers, cards at {base_url}/cards/cards',
    isOfAddress: true,
  };
}

function ofPortal(party: Party, answer: Answer): Diagnosed {
  if (isNothingThere(answer)) return { advice: 'check TARGET_PORTAL_URL and TARGET_PORTAL_PATH', isOfAddress: true };
  if (succeeded(answer)) return { advice: `it holds no session: ${JUDGED}` };
  if (answer.status >= 500) return { advice: JUDGED };
  const own =
    answer.operation.id === 'portal.login'
      ? 'check TARGET_PORTAL_LOGIN_ID and TARGET_PORTAL_PASSWORD; if the login requires a verification code, log in by hand and set TARGET_PORTAL_SESSION_ID to the session'
      : 'the session of TARGET_PORTAL_SESSION_ID may have expired: log in again';
  return { advice: answer.status === 400 ? own : `${own}; otherwise ${gatewayAdvice(party)}` };
}

function gatewayAdvice({ configuration }: Party): string {
  const sent = Object.keys(configuration.target.headers);
  return sent.length > 0
    ? `a gateway seems to refuse the request: check the values of ${sent.join(', ')} in TARGET_HEADERS, and whether it requires more headers`
    : 'a gateway seems to refuse the request for want of a header: set TARGET_HEADERS=\'{"NAME-OF-ITS-KEY-HEADER": "..."}\'';
}
