/** Parsers from the text of a variable or option to its value. No fault repeats the text, which may be a secret. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { dirname, resolve } from 'node:path';
import { parseFixtures } from './fixtures-file.ts';
import { Invalid, readBytes } from './invalid.ts';
import { parseKnownFailures } from './known-failures.ts';

/** Parses a text; paths are relative to `cwd`. @throws {@link Invalid}, whose message completes "NAME: ..." */
export type Parser<Value> = (text: string, cwd: string) => Value;

export const text: Parser<string> = (value) => value;

/** Accepts text for a header or query: no control characters, with which a copied secret often ends. */
export const line: Parser<string> = (value) => {
  if (/\p{Cc}/u.test(value)) throw new Invalid('must not hold line breaks or other control characters');
  return value;
};

/** Accepts what an Authorization header can hold after its scheme (RFC 6750, section 2.1), leniently: visible ASCII. */
export const token: Parser<string> = (value) => {
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new Invalid('must be the token alone, without scheme, blanks or line breaks');
  return value;
};

/** Parses comma-separated names; surrounding blanks are ignored. */
export const list: Parser<string[]> = (value) => {
  const entries = value.split(',').map((entry) => entry.trim());
  if (entries.includes('')) throw new Invalid('must be names separated by single commas');
  return entries;
};

/** Accepts one of the given words, case-sensitively. */
export const oneOf =
  <const Choice extends string>(choices: readonly Choice[]): Parser<Choice> =>
  (value) => {
    const choice = choices.find((candidate) => candidate === value.trim());
    if (choice === undefined) throw new Invalid(`must be one of ${choices.join(', ')}`);
    return choice;
  };

export const flag: Parser<boolean> = (value, cwd) => oneOf(['true', 'false'])(value, cwd) === 'true';

/** Parses an integer in decimal digits, from `min` to `max` inclusive. */
export const integer =
  (min: number, max: number): Parser<number> =>
  (value) => {
    const number = Number(value);
    if (!/^\s*\d+\s*$/.test(value) || number < min || number > max) {
      throw new Invalid(`must be an integer from ${min} to ${max}`);
    }
    return number;
  };

/** Parses a number above 0, fractions allowed; 0 itself only with `zero allowed`. */
export const decimal =
  (max: number, zero: 'zero allowed' | 'above zero'): Parser<number> =>
  (value) => {
    const number = Number(value);
    if (!/^\s*\d+(\.\d+)?\s*$/.test(value) || number > max || (number === 0 && zero === 'above zero')) {
      throw new Invalid(`must be a number ${zero === 'above zero' ? 'above 0 and at most' : 'from 0 to'} ${max}`);
    }
    return number;
  };

function httpUrl(value: string): URL {
  const trimmed = value.trim();
  if (!/^https?:\/\/[^\s\\]+$/i.test(trimmed) || !URL.canParse(trimmed)) {
    throw new Invalid('must be an address that begins with http:// or https://');
  }
  const url = new URL(trimmed);
  if (url.username || url.password) throw new Invalid('must not hold a user name or password');
  return url;
}

/** Accepts an address to which paths are added: no query, no fragment. A trailing slash is removed. */
export const baseUrl: Parser<string> = (value) => {
  const url = httpUrl(value);
  if (/[?#]/.test(value)) throw new Invalid('must have neither query nor fragment');
  return url.href.replace(/\/+$/, '');
};

export const exactUrl: Parser<string> = (value) => {
  const url = httpUrl(value);
  if (value.includes('#')) throw new Invalid('must not have a fragment');
  return url.href;
};

/** Accepts a path that begins with a slash and may hold placeholders in braces. */
export const pathTemplate =
  (placeholders: string[], required: string[] = []): Parser<string> =>
  (value) => {
    const held = [...value.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
    if (!/^\/[^\s?#]*$/.test(value))
      throw new Invalid('must be a path that begins with / and has neither query nor blanks');
    if (!held.every((name) => placeholders.includes(name)) || /[{}]/.test(value.replace(/\{[^{}]*\}/g, ''))) {
      throw new Invalid(`may hold no other braces than ${placeholders.map((name) => `{${name}}`).join(' and ')}`);
    }
    for (const name of required) if (!held.includes(name)) throw new Invalid(`must hold {${name}}`);
    return value;
  };

/** Accepts one or more path segments; slashes at the ends are removed. */
export const pathSegments: Parser<string> = (value, cwd) => {
  const segments = line(value, cwd)
    .trim()
    .replace(/^\/+|\/+$/g, '');
  if (!/^[^\s?#]+$/.test(segments)) throw new Invalid('must be part of a path, without blanks, query and fragment');
  return segments;
};

/** Headers that the client sets itself; another value would break or falsify the exchange. */
const OWN_HEADERS = [
  'connection',
  'content-length',
  'content-type',
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
];

/** Parses a JSON object of headers. Faults name the header, never its value. */
export const headers: Parser<Record<string, string>> = (value) => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    throw new Invalid('must be a JSON object, such as {"X-Gateway-Key": "..."}');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new Invalid('must be a JSON object');
  const entries = Object.entries(parsed);
  const faults = entries.flatMap(([name, content]) => headerFault(name, content) ?? []);
  if (faults.length > 0) throw new Invalid(...new Set(faults));
  return Object.fromEntries(entries) as Record<string, string>;
};

/** The fault of a header; undefined if it is valid. An invalid name is not quoted, since it may be a misplaced secret. */
function headerFault(name: string, content: unknown): string | undefined {
  const quoted = JSON.stringify(name);
  if (isRefused(() => validateHeaderName(name))) return 'one of its keys is not a valid header name';
  if (name.toLowerCase() === 'authorization')
    return `${quoted} is not allowed here: the suite sends its token in it; set TARGET_ACCESS_TOKEN to use your own`;
  if (OWN_HEADERS.includes(name.toLowerCase())) return `${quoted} is set by the suite itself`;
  if (typeof content !== 'string') return `the value of ${quoted} must be a string`;
  if (isRefused(() => validateHeaderValue(name, content)))
    return `the value of ${quoted} holds a character that is not allowed in a header`;
  return undefined;
}

function isRefused(validate: () => void): boolean {
  try {
    validate();
    return false;
  } catch {
    return true;
  }
}

/** Resolves a path against the working directory. Refuses `~`, which here would name a directory. */
function located(path: string, cwd: string): string {
  if (/^~(?:[/\\]|$)/.test(path)) throw new Invalid('begins with ~, which only a shell expands; write the full path');
  return resolve(cwd, path);
}

const pem =
  (what: string, read: (text: string) => unknown): Parser<string> =>
  (value, cwd) => {
    if (value.includes('-----BEGIN')) throw new Invalid('must be the path of a PEM file, not its content');
    const content = readBytes(located(value, cwd)).toString();
    try {
      read(content);
    } catch {
      throw new Invalid(`the file does not hold a ${what} in PEM format`);
    }
    return content;
  };

/** Reads a certificate from the path of a PEM file. @returns the PEM text */
export const certificateFile = pem('certificate', (content) => new X509Certificate(content));
/** Reads an unencrypted private key from the path of a PEM file. @returns the PEM text */
export const keyFile = pem('private key without a passphrase', (content) => createPrivateKey(content));

/** Reads the fixtures file (JSON) at a path, see {@link parseFixtures}. */
export const fixturesFile: Parser<ReturnType<typeof parseFixtures>> = (value, cwd) =>
  parseFixtures(readBytes(located(value, cwd)));

/** Reads the list of known failures (YAML) at a path, see {@link parseKnownFailures}. */
export const knownFailuresFile: Parser<ReturnType<typeof parseKnownFailures>> = (value, cwd) =>
  parseKnownFailures(readBytes(located(value, cwd)).toString());

/** Accepts a directory, which need not exist. Creates nothing. */
export const directoryPath: Parser<string> = (value, cwd) => existingAbove(located(value, cwd)).directory;

/** Accepts a directory that can be written or created. Creates nothing. */
export const writableDirectory: Parser<string> = (value, cwd) => {
  const { directory, existing } = existingAbove(located(value, cwd));
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
  } catch {
    throw new Invalid(`${existing} cannot be written`);
  }
  return directory;
};

/** Finds the nearest existing ancestor, or the directory itself. @throws Invalid if that is a file */
function existingAbove(directory: string): { directory: string; existing: string } {
  let existing = directory;
  while (!existsSync(existing)) existing = dirname(existing);
  if (!statSync(existing).isDirectory()) {
    throw new Invalid(existing === directory ? 'is a file, not a directory' : 'lies below a file');
  }
  return { directory, existing };
}

/** Accepts a report directory or the conformance.json in it; `ruleFaults` tells whether it must exist. */
export const recordPath: Parser<string> = located;

/** The same; `true` for an option without a value. */
export const recordPathOrFlag: Parser<string | true> = (value, cwd) => value === 'true' || located(value, cwd);

/** Parses `i/n`: the i-th of n parts, counted from 1. */
export const shard: Parser<{ index: number; count: number }> = (value) => {
  const [, index = 0, count = 0] = (/^\s*(\d{1,4})\/(\d{1,4})\s*$/.exec(value) ?? []).map(Number);
  if (index < 1 || index > count) throw new Invalid('must be i/n with i from 1 to n, such as 2/4');
  return { index, count };
};
