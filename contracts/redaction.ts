/** Markers that replace secrets in a record, and the variables in which a reader keeps the secrets. */

/**
 * All labels of secrets. The list is closed: a target never chooses a label, so a marker in a record holds no data of
 * the target.
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

/** The marker that replaces a secret: `<REDACTED_ACCESS_TOKEN>`. */
export const markerOf = (label: Label): string => `<REDACTED_${label}>`;

/** Source of a regular expression for any marker; its only group is the label. */
export const MARKER = `<REDACTED_(${LABELS.join('|')})>`;

/** The beginning of text from a target that imitates a marker; it is replaced by `<redacted_`. */
export const FORGED_MARKER = /<REDACTED_/g;

/** The environment variable that holds the secret; those of the configuration have the same names. */
export const variableOf = (label: Label): string => `TARGET_${label}`;
