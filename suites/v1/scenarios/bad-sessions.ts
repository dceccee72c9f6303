/** Invalid session identifiers that resemble a live one (readings 34 and 52). */
import type { Context } from '../../../helpers/context.ts';
import { invented } from '../../../helpers/engine/forms/invented.ts';
import { lookAlikes } from '../../../helpers/engine/forms/look-alikes.ts';

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

/** An SQL injection that makes the condition of a careless query true. */
export const INJECTED = "' OR '1'='1";
/** Characters from which an identifier or password is redacted; shorter ones are words that anybody may write. */
export const LEAST_SECRET = 8;

/** Invalid identifiers derived from a live one, and redacted as that one is. */
export function formsLike(t: Context, living: string): BadSession[] {
  const forms: (BadSession & { sessionId: string })[] = [
    { form: 'an invented sessionId', sessionId: invented(living) },
    ...lookAlikes('sessionId', living).map(({ name, text }) => ({ form: `a sessionId ${name}`, sessionId: text })),
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
