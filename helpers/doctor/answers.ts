/** What an answer says of the way to the target: a gateway, a redirect, a web page where JSON was expected. */
import { type Answer, bodyOf, header, isObject, memberOf } from '../answer.ts';
import { fault, type Remark } from './diagnosis.ts';
import type { Probe } from './probe.ts';

/** Characters of an answer's text that are shown. */
const SHOWN = 160;

/** The answer in a line: status, and what it says of itself. */
export function excerpt(probe: Probe, answer: Answer): string {
  const mediaType = header(answer, 'content-type') ?? '';
  const text = answer.bytes.toString('utf8');
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1]?.trim();
  const shown = isHtml(answer) ? `HTML${title ? ` titled "${title}"` : ''}` : probe.redactor.body(text, mediaType).text;
  const line = probe.redactor.text(shown.replace(/\s+/g, ' ').trim());
  return `status ${answer.status}${line ? `, ${line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line}` : ', no body'}`;
}

/** By its Content-Type, or by how its body begins: where JSON was expected, a login page or a gateway. */
export function isHtml(answer: Answer): boolean {
  return (
    /html/i.test(header(answer, 'content-type') ?? '') ||
    /^\s*<(!doctype|html)/i.test(answer.bytes.toString('utf8', 0, 200))
  );
}

/**
 * What is wrong on the way to the interface, whatever the operation; undefined when the interface itself answered.
 * @param variable the one that holds its address
 */
export function wayFault(probe: Probe, answer: Answer, variable: string): Remark | undefined {
  const { status } = answer;
  const said = `${answer.operation.id} answers ${excerpt(probe, answer)}`;
  if (status >= 300 && status < 400) {
    const to = header(answer, 'location');
    return fault(
      `${said}${to ? `, Location ${probe.redactor.url(to)}` : ''}`,
      `redirects are not followed: let ${variable} say where they lead, or see whether a login page or a gateway stands before the target`,
    );
  }
  if (status === 407)
    return fault(said, 'the proxy wants credentials: http://user:password@host in HTTP_PROXY or HTTPS_PROXY');
  if ([429, 502, 503, 504].includes(status))
    return fault(
      said,
      'the target is not available now: try again, or let the run wait with --wait-for-target SECONDS',
    );
  return undefined;
}

/** Whether a 401 or 403 shows the signs of the interface itself; otherwise a gateway before it may have refused. */
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
    ? `it looks like the refusal of a gateway: check the values of ${sent.join(', ')} in TARGET_HEADERS, and whether it wants more headers`
    : 'it looks like the refusal of a gateway that wants a header: TARGET_HEADERS=\'{"NAME-OF-ITS-KEY-HEADER": "..."}\'';
}
