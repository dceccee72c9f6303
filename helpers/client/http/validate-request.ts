/** Refuses requests that HTTP cannot carry. */
import { TransportError, type WireRequest } from './types.ts';

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** RFC 9110 section 5.5: visible characters, space, tab and the upper half of Latin-1; no line break can end the header. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** RFC 3986 section 5.2.4. Percent-encoded dots mean the same to whoever normalises (section 6.2.2). */
const DOT_SEGMENT = /^[^?#]*\/(?:\.|%2e){1,2}(?=[/?#]|$)/i;

/**
 * Validates a request (a token with a line break cannot be a header, for instance). Errors name the part, never its
 * value.
 * @returns the address of the request
 * @throws TransportError of kind 'invalid-request'
 */
export function validateRequest(request: WireRequest): URL {
  const url = URL.parse(request.url);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') refuse('the address is not an http or https URL');
  if (!request.url.isWellFormed()) refuse('the address holds half a character (a lone surrogate)');
  if (DOT_SEGMENT.test(request.url)) refuse('the path holds a segment . or .., which would lead to another address');
  if (!TOKEN.test(request.method)) refuse('the method is not an HTTP token');
  for (const [name, value] of Object.entries(request.headers)) {
    if (!TOKEN.test(name)) refuse('the name of a header is not an HTTP token');
    if (!FIELD_VALUE.test(value))
      refuse(`the value for the header ${name} holds a character that is not allowed in a header`);
  }
  return url;
}

function refuse(why: string): never {
  throw new TransportError('invalid-request', `not sent: ${why}`);
}
