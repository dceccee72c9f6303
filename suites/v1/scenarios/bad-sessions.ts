/** Invalid session identifiers that resemble a live one (readings 34 and 52). */
import type { Context } from '../../../helpers/context.ts';
import { inOtherCase, isCaseless } from '../../shared/caseless.ts';
import { altered, endedOtherwise, invented } from '../../shared/invented.ts';

/** A session identifier that no session has. */
export interface BadSession {
  /** The kind of identifier, in words. */
  form: string;
  /** Undefined sends no sessionId. */
  sessionId: string | undefined;
  /** A firewall may refuse it, with 403, before the operation sees it. */
  isFiltered?: boolean;
}

export const NO_SESSION: BadSession = { form: 'no sessionId', sessionId: undefined };

/** Parts of a session identifier that is a JSON Web Token. */
const JWT = /^(eyJ[\w-]+)\.([\w-]+)\.([\w-]+)$/;
const CONTINUATION = '12345678';
/** An SQL injection that makes the condition of a careless query true. */
export const INJECTED = "' OR '1'='1";
/** Characters from which an identifier or password is redacted; shorter ones are words that anybody may write. */
export const LEAST_SECRET = 8;

/** Invalid identifiers derived from a live one, and redacted as that one is. */
export function formsLike(t: Context, living: string): BadSession[] {
  const forms: (BadSession & { sessionId: string })[] = [
    { form: 'an invented sessionId', sessionId: inventedLike(living) },
    ...(living.length < LEAST_SECRET ? [] : resembling(living)),
    { form: 'a sessionId with characters added', sessionId: living + CONTINUATION },
    { form: 'a sessionId with characters before it', sessionId: CONTINUATION + living },
    { form: 'the word null as sessionId', sessionId: 'null' },
    { form: 'the sessionId 0', sessionId: '0' },
    { form: 'a sessionId with a quote', sessionId: INJECTED, isFiltered: true },
  ];
  const other = forms.filter(({ sessionId }) => sessionId !== living && sessionId !== '');
  for (const { sessionId } of other)
    if (sessionId.length >= LEAST_SECRET && sessionId !== INJECTED)
      t.run.redactor.learn(sessionId, 'INVENTED_SESSION_ID');
  return other;
}

/** Identifiers that differ little from a live one. Short ones could be those of other sessions. */
function resembling(living: string): { form: string; sessionId: string }[] {
  const ended = endedOtherwise(living);
  return [
    { form: 'a sessionId with one character changed', sessionId: alteredIn(living) },
    // A quarter shorter, since the last character may hold spare bits only.
    { form: 'a part of a sessionId', sessionId: living.slice(0, Math.floor(living.length * 0.75)) },
    ...(ended === undefined ? [] : [{ form: 'a sessionId that ends with another character', sessionId: ended }]),
    ...(isCaseless(living) ? [] : [{ form: 'a sessionId in another case of letters', sessionId: inOtherCase(living) }]),
  ];
}

/** An invented identifier. A JWT gets another signature, which only a target that verifies it refuses. */
function inventedLike(living: string): string {
  const [, header, claims, signature] = JWT.exec(living) ?? [];
  return signature ? `${header}.${claims}.${altered(signature)}` : invented(living);
}

/** The identifier with one character changed; in a JWT, one of its claims. */
function alteredIn(living: string): string {
  const [, header, claims, signature] = JWT.exec(living) ?? [];
  return claims ? `${header}.${altered(claims)}.${signature}` : altered(living);
}
