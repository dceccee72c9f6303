/**
 * Recognises answers that come from something in front of the target: a gateway, a redirect, a web page instead of
 * JSON.
 */
import { type Answer, bodyOf, header, isObject, memberOf } from '../answer.ts';
import { fault, type Remark } from './diagnosis.ts';
import type { Probe } from './probe.ts';

/** Number of characters shown of an answer's text. */
const SHOWN = 160;

/** The answer in one line: its status, and the title or text of its body. */
export function excerpt(probe: Probe, answer: Answer): string {
  const mediaType = header(answer, 'content-type') ?? '';
  const text = answer.bytes.toString('utf8');
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1]?.trim();
  const shown = isHtml(answer) ? `HTML${title ? ` titled "${title}"` : ''}` : probe.redactor.body(text, mediaType).text;
  const line = probe.redactor.text(shown.replace(/\s+/g, ' ').trim());
  return `status ${answer.status}${line ? `, ${line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line}` : ', no body'}`;
}

/**
 * Whether the answer is HTML, by its Content-Type or the beginning of its body: a login page or gateway instead of
 * JSON.
 */
export function isHtml(answer: Answer): boolean {
  return (
    /html/i.test(header(answer, 'content-type') ?? '') ||
    /^\s*<(!doctype|html)/i.test(answer.bytes.toString('utf8', 0, 200))
  );
}

/**
 * A fault between the suite and the interface, whatever the operation; undefined if the interface itself answered.
 * @param variable the variable that holds its address
 */
export function connectionFault(probe: Probe, answer: Answer, variable: string): Remark | undefined {
  const { status } = answer;
  const finding = `${answer.operation.id} answers ${excerpt(probe, answer)}`;
  if (status >= 300 && status < 400) {
    const to = header(answer, 'location');
    return fault(
      `${finding}${to ? `, Location ${probe.redactor.url(to)}` : ''}`,
      `redirects are not followed: set ${variable} to where they lead, or check whether a login page or gateway is in front of the target`,
    );
  }
  if (status === 407)
    return fault(
      finding,
      'the proxy requires credentials: put them into HTTP_PROXY or HTTPS_PROXY as http://user:password@host',
    );
  if ([429, 502, 503, 504].includes(status))
    return fault(
      finding,
      'the target is not available now: try again, or let the run wait with --wait-for-target SECONDS',
    );
  return undefined;
}

/**
 * Whether a 401 or 403 clearly comes from the interface itself; otherwise it may come from a gateway in front of it.
 */
export function isOfInterface(answer: Answer): boolean {
  const body = bodyOf(answer);
  if (answer.operation.interface === 'token') return typeof memberOf(body, 'error') === 'string';
  if (/\bbearer\b/i.test(header(answer, 'www-authenticate') ?? '')) return true;
  const shown = Array.isArray(body) ? body[0] : undefined;
  return isObject(shown) && ['errorCode', 'errorMessage', 'fieldName'].some((name) => name in shown);
}

/** Advice on a refusal that seems to come from a gateway. */
export function gatewayAdvice(probe: Probe): string {
  const sent = Object.keys(probe.configuration.target.headers);
  return sent.length > 0
    ? `a gateway seems to refuse the request: check the values of ${sent.join(', ')} in TARGET_HEADERS, and whether it requires more headers`
    : 'a gateway seems to refuse the request for want of a header: set TARGET_HEADERS=\'{"NAME-OF-ITS-KEY-HEADER": "..."}\'';
}
