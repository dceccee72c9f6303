import { TransportError, type WireRequest } from './types.ts';

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** RFC 9110 section 5.5: visible characters, space, tab and the upper half of Latin-1; no line break can end the header. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Refuses what HTTP cannot carry (such as a token with a line break in a header), naming the part and never its value.
 * @returns the address of the request
 * @throws TransportError of kind 'invalid-request'
 */
export function validateRequest(request: WireRequest): URL {
  const url = URL.parse(request.url);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') refuse('the address is not an http or https URL');
  if (!TOKEN.test(request.method)) refuse('the method is not an HTTP token');
  for (const [name, value] of Object.entries(request.headers)) {
    if (!TOKEN.test(name)) refuse('the name of a header is not an HTTP token');
    if (!FIELD_VALUE.test(value)) refuse(`the value for the header ${name} holds a character that no header can carry`);
  }
  return url;
}

function refuse(why: string): never {
  throw new TransportError('invalid-request', `not sent: ${why}`);
}
