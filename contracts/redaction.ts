/** What stands in a record where a secret stood, and the variable that a reader keeps the secret in. */

/**
 * Every label of a secret. The list is closed: what a target sends never names one, so a marker in a record says nothing
 * that the target chose.
 */
export const LABELS = [
  'ACCESS_TOKEN',
  'API_KEY',
  'AUTHORIZATION',
  'BAD_TOKEN',
  'CARD_NUMBER',
  'CLIENT_KEY',
  'CLIENT_SECRET',
  'COOKIE',
  'CREDENTIALS',
  'CVV',
  'ENCRYPTED_PAYLOAD',
  'FIXTURE_SECRET',
  'HEADER',
  'INVENTED_LOGIN_ID',
  'INVENTED_SESSION_ID',
  'LOGIN_ID',
  'PASSWORD',
  'PERSONAL_DATA',
  'PIN',
  'PORTAL_LOGIN_ID',
  'PORTAL_PASSWORD',
  'PORTAL_SESSION_ID',
  'REFRESH_TOKEN',
  'SECRET',
  'SESSION_ID',
  'SSN',
  'SSN_LAST_4',
  'TEMPORARY_TOKEN',
  'TRACK_DATA',
  'UNREADABLE',
  'WRONG_CLIENT_SECRET',
  'WRONG_PASSWORD',
] as const;

export type Label = (typeof LABELS)[number];

/** The marker that stands for a secret: `<REDACTED_ACCESS_TOKEN>`. */
export const markerOf = (label: Label): string => `<REDACTED_${label}>`;

/** Source of a regular expression for any marker; its one group is the label. */
export const MARKER = `<REDACTED_(${LABELS.join('|')})>`;

/** Text that looks like a marker and was sent by a target; `<redacted_` is what is made of its beginning. */
export const FORGED_MARKER = /<REDACTED_/g;

/** The environment variable that holds the secret: those of the configuration have the same names. */
export const variableOf = (label: Label): string => `TARGET_${label}`;
