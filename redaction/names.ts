/** Derives the meaning of values from the names of members, parameters, headers and elements. */
import { type Label, PERSONAL_MEMBERS, plain } from '../contracts/redaction.ts';

/** `secret` is replaced by a marker, `personal` is masked, `identifier` is never taken for a card number. */
export type Meaning = { kind: 'secret'; label: Label } | { kind: 'personal' } | { kind: 'identifier' };

/** Secrets by the whole name, or its ending, without case and separators; the first match wins. */
const SECRETS: readonly (readonly [RegExp, Label])[] = [
  [/^(?:proxy|x|forwarded|original)*authorization$/, 'AUTHORIZATION'],
  [/cookie$/, 'COOKIE'],
  [/access(?:token|jwt)$/, 'ACCESS_TOKEN'],
  [/refreshtoken$/, 'REFRESH_TOKEN'],
  [/temporarytoken$/, 'TEMPORARY_TOKEN'],
  [/(?:session(?:id|identifier|key|token)|sessid|jsessionid|phpsessid)$/, 'SESSION_ID'],
  [/login(?:id|name)$/, 'LOGIN_ID'],
  [/clientsecret$/, 'CLIENT_SECRET'],
  [/(?:password|passwd|passwrd|passphrase|passcode|pwd|pswd)\d*$/, 'PASSWORD'],
  [
    /(?:ssn|socialsecurity(?:number|no|num)?)last(?:4|four)$|^last(?:4|four)(?:digits)?of(?:ssn|socialsecurity.*)$/,
    'SSN_LAST_4',
  ],
  [
    /(?:^|customer|user|person|holder|tax)ssn\d*$|^ssn|socialsecurity(?:number|no|num)?$|^taxpayerid(?:entification(?:number)?)?$/,
    'SSN',
  ],
  [
    /^(?:x?(?:new|old|current|previous|card|user|confirm(?:ed)?|confirmation|atm|debit|encrypted|clear|offset|customer|my|your|the|initial|default)*)pins?(?:code|number|no|block|data|value|offset|text)?\d*$/,
    'PIN',
  ],
  [
    /(?:cvv|cvc|cvn|csc|cid2)\d?(?:code|number|value)?$|cardverification(?:code|value|number)?$|(?:card)?securitycode$/,
    'CVV',
  ],
  [
    /(?:cardnumber|cardno|cardnum|primaryaccountnumber|creditcard)$|^(?:full|card|clear|encrypted)?pan(?:number)?$/,
    'CARD_NUMBER',
  ],
  [/(?:^|card|magnetic|magstripe|raw)track[123]?(?:data)?$|^magstripe(?:data)?$/, 'TRACK_DATA'],
  [/encryptedpayload$/, 'ENCRYPTED_PAYLOAD'],
  [/(?:api|subscription|access|secret|private|signing|shared|encryption|auth)(?:key|keys)$|apikeyvalue$/, 'API_KEY'],
  [
    /secret(?:value|key)?$|credentials?$|clientassertion$|^otp(?:code)?$|(?:verification|onetime|authorization|mfa|auth|device)code$|^code(?:verifier|challenge)$|^assertion$/,
    'SECRET',
  ],
  [
    /jwt$|^bearer$|(?:id|auth|authentication|api|bearer|user|security|device|login|csrf|xsrf|card|jwt|remember(?:me)?|reset|verification|subject|actor|logout)token$|^idtokenhint$/,
    'SECRET',
  ],
];

/** Endings of names that describe a secret instead of holding it. */
const ABOUT =
  /(?:type|expires(?:in|on|at)?|expiry|expiration|length|policy|required|enabled|status|attempts|count|hint|set|changed|url|uri)$/;
/** Names of actions and conditions: `cards.setPin`, `isPinSet`. */
const DEED = /(?:^|\.)(?:set|get|has|is|can|check|verify)[A-Z]/;
const LAST_FOUR = /last(?:4|four)(?:digits)?$/;

const IDENTIFIER = /(id|identifier|proxynumber)$/;

/** Quick test for parts of secrets' names; most names and texts fail it. */
export const SECRET_STEM =
  /pass|pwd|pswd|pin|ssn|social|cvv|cvc|cvn|csc|cid|security|verif|secret|token|jwt|key|cookie|sess|login|auth|bearer|pan|card|track|stripe|magnet|payload|credential|assertion|otp|code|taxpayer/i;

/** Cache of examined names, which recur with every answer. */
const known = new Map<string, Meaning | null>();
const MOST_KNOWN = 5000;

/** The meaning of a name in a query, form or header. `token` there marks the position in a listing: no secret. */
export function meaningOfParameter(name: string): Meaning | null {
  const before = known.get(name);
  if (before !== undefined) return before;
  const meaning = findMeaning(name);
  if (known.size < MOST_KNOWN && name.length < 100) known.set(name, meaning);
  return meaning;
}

function findMeaning(name: string): Meaning | null {
  const key = plain(name.slice(0, 200));
  if (SECRET_STEM.test(key) && !ABOUT.test(key) && !DEED.test(name)) {
    const fits = (shape: RegExp) => shape.test(key);
    const found = SECRETS.find(([shape]) => fits(shape));
    const word = found ? undefined : wordsOf(name).find((one) => Object.hasOwn(WORDS, one));
    if (word !== undefined) return { kind: 'secret', label: WORDS[word]! };
    if (found && (!LAST_FOUR.test(key) || found[1] === 'SSN_LAST_4')) return { kind: 'secret', label: found[1] };
  }
  if (PERSONAL_MEMBERS.has(key)) return { kind: 'personal' };
  return IDENTIFIER.test(key) ? { kind: 'identifier' } : null;
}

/** Secrets by a single word of the name: `programPinCode`. */
const WORDS: Record<string, Label> = {
  pin: 'PIN',
  ssn: 'SSN',
  cvv: 'CVV',
  cvc: 'CVV',
  jwt: 'SECRET',
  secret: 'SECRET',
  password: 'PASSWORD',
  passwd: 'PASSWORD',
  passcode: 'PASSWORD',
};

const wordsOf = (name: string): string[] =>
  name
    .slice(0, 200)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);

/** The code that a client exchanges for a token (RFC 6749 section 4.1): what is called so elsewhere is a code of an error. */
export const GRANTED_CODE = { kind: 'secret', label: 'SECRET' } as const satisfies Meaning;

/** The meaning of the name of a field in a form, or in the query of an address. */
export const meaningOfField = (name: string): Meaning | null =>
  name.length === 4 && name.toLowerCase() === 'code' ? GRANTED_CODE : meaningOfParameter(name);

/** Whether a member stands beside a code that is exchanged for a token. */
export const isOfGrant = (name: string): boolean => OF_GRANT.includes(plain(name.slice(0, 50)));

const OF_GRANT = ['granttype', 'redirecturi', 'codeverifier', 'clientid'];

/** The meaning of a JSON member's name; `token` is a card's temporary token. */
export function meaningOfMember(name: string): Meaning | null {
  return name.length < 8 && plain(name) === 'token'
    ? { kind: 'secret', label: 'TEMPORARY_TOKEN' }
    : meaningOfParameter(name);
}
