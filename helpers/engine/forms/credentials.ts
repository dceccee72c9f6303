/** Texts that are nobody's token or session, however careless the code that looks them up (readings 17 and 34). */
import { randomUUID } from 'node:crypto';
import { another, invented } from './invented.ts';
import type { LookAlike } from './look-alikes.ts';

/** A credential that must not grant access. */
export interface BadCredential extends LookAlike {
  /** Whether it is a word that anybody may write: no secret. */
  isWord?: boolean;
}

/** An SQL injection that makes the condition of a careless query true. */
export const INJECTED = "' OR '1'='1";

/** Shorter credentials could be somebody else's when each character is changed. */
const LEAST = 16;

/** Invented credentials, of the form of a good one and of others, and words that code may take for one. */
export const inventedCredentials = (good: string): BadCredential[] => [
  {
    name: 'invented',
    text: good.length < LEAST ? invented(good) : [...good].map((character) => another(character)).join(''),
  },
  { name: 'of another form', text: randomUUID() },
  ...(good.split('.').length === 3 ? [] : [{ name: 'that is an invented JSON Web Token', text: inventedJwt() }]),
  ...['null', 'constructor', '0'].map((text) => ({ name: `that is ${text}`, text, isWord: true })),
  { name: 'with a quote', text: INJECTED, isWord: true, isFiltered: true },
];

/** A well-formed JSON Web Token with an invented signature: a target that does not verify it would trust its claims. */
function inventedJwt(): string {
  const now = Math.floor(Date.now() / 1000);
  const parts = [
    { alg: 'HS256', typ: 'JWT' },
    { sub: 'anyone', iat: now, exp: now + 3600 },
  ];
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return [...signed, randomUUID().replaceAll('-', '')].join('.');
}
