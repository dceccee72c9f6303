/** What replaces secrets and personal data in a record, and the variables in which a reader keeps the secrets. */

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

/** Normalises a name: `client_secret`, `Client-Secret` and `clientSecret` become the same. */
export function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_. ]/g, '');
}

/** Names of members with personal data, as {@link plain} makes them. */
export const PERSONAL_MEMBERS: ReadonlySet<string> = new Set(
  [
    'firstName lastName name customerName parentName contactName accountMgr attn embossedMessage referredBy',
    'line1 line2 address address1 address2 billingAddress mailingAddress shippingAddress1 shippingAddress2',
    'mailingAddr1 mailingAddr2 locality region postalCode city state zip zip4',
    'mailingCity mailingState mailingPostalCode shippingCity shippingState shippingZip',
    'dateOfBirth dobDay dobMonth dobYear phone phoneExtn contactPhone email contactEmail notificationEmail',
    'Options', // of a question that verifies an identity: the answers are former addresses and the like
  ]
    .join(' ')
    .split(' ')
    .map(plain),
);

/**
 * Masks personal data, keeping type and length: replaces letters by x or X and digits by 9. A non-ASCII letter becomes another one of the same UTF-8 length, so that
 * the record still shows limits in characters or bytes. What is a date stays one.
 */
export function maskText(text: string): string {
  const parts = text.replaceAll(/\p{L}/gu, letterLike).split(DATE);
  return parts.map((part, index) => (index % 2 > 0 ? MASKED_DATE : part.replaceAll(/\p{Nd}/gu, '9'))).join('');
}

const DATE = /\b(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))\b/;
const MASKED_DATE = '9999-09-09';

function letterLike(letter: string): string {
  const code = letter.codePointAt(0)!;
  if (code <= 0x7f) return /\p{Lu}/u.test(letter) ? 'X' : 'x';
  if (code <= 0x7ff) return 'é';
  return code <= 0xffff ? '漢' : '𠀀';
}

/** Masks a JSON number digit by digit, leaving an exponent as it is. */
export function maskNumber(text: string): string {
  const [digits = '', ...exponent] = text.split(/(?=e)/i);
  return digits.replaceAll(/\d/g, '9') + exponent.join('');
}
