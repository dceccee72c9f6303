/** What the names of members, parameters and headers say about their values. */

/** `secret` is replaced by a marker, `personal` is masked, `identifier` is never taken for a card number. */
export type Meaning = { kind: 'secret'; label: string } | { kind: 'personal' } | { kind: 'identifier' };

/** By name without separators, in lower case: the label of its marker. */
const SECRETS: Record<string, string> = {
  authorization: 'AUTHORIZATION',
  proxyauthorization: 'PROXY_AUTHORIZATION',
  cookie: 'COOKIE',
  setcookie: 'COOKIE',
  accesstoken: 'ACCESS_TOKEN',
  refreshtoken: 'REFRESH_TOKEN',
  idtoken: 'ID_TOKEN',
  clientsecret: 'CLIENT_SECRET',
  clientassertion: 'CLIENT_ASSERTION',
  password: 'PASSWORD',
  ftppassword: 'FTP_PASSWORD',
  sessionid: 'SESSION_ID',
  loginid: 'LOGIN_ID',
  pin: 'PIN',
  ssn: 'SSN',
  ssnlast4: 'SSN_LAST_4',
  ssnlastfour: 'SSN_LAST_4',
  cardnumber: 'CARD_NUMBER',
  pan: 'CARD_NUMBER',
  cvv: 'CVV',
  cvv2: 'CVV',
  cvc: 'CVV',
  encryptedpayload: 'ENCRYPTED_PAYLOAD',
};

const PERSONAL = new Set(
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

const IDENTIFIER = /(id|identifier|proxynumber)$/;

/** Without case and separators: `client_secret`, `Client-Secret` and `clientSecret` are one. */
export function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_. ]/g, '');
}

/** In a query or a form; `token` and `continuationToken` are where a listing goes on, and no secrets. */
export function meaningOfParameter(name: string): Meaning | null {
  const key = plain(name);
  if (Object.hasOwn(SECRETS, key)) return { kind: 'secret', label: SECRETS[key]! };
  if (PERSONAL.has(key)) return { kind: 'personal' };
  return IDENTIFIER.test(key) ? { kind: 'identifier' } : null;
}

/** In JSON; `token` is the temporary token of a card. */
export function meaningOfMember(name: string): Meaning | null {
  return plain(name) === 'token' ? { kind: 'secret', label: 'TEMPORARY_TOKEN' } : meaningOfParameter(name);
}

/** The marker that stands for a secret, in the style of the documents' placeholders: `<ACCESS_TOKEN>`. */
export function markerOf(label: string): string {
  const words = label.replaceAll(/([a-z])([A-Z])/g, '$1_$2').replaceAll(/[^A-Za-z0-9]+/g, '_');
  return `<${words.toUpperCase()}>`;
}

/** Source of a regular expression for the names of secrets in running text, with or without separators. */
export const SECRET_NAMES = Object.values({ ...SECRETS, SSN_LAST_FOUR: 'SSN_LAST_FOUR' })
  .sort((a, b) => b.length - a.length)
  .map((label) => label.replaceAll('_', '[-_. ]?'))
  .join('|');
