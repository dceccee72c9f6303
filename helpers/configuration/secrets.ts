/** The secrets of a configuration, which are never written. */
import { fixtureSecrets } from '../../contracts/fixtures.ts';
import type { Label } from '../../contracts/redaction.ts';
import type { Configuration } from './types.ts';

/** All secrets of a configuration, each with a label. Redaction must know them before the first request. */
export function configurationSecrets({ target, fixtures }: Configuration): { label: Label; value: string }[] {
  const named: Partial<Record<Label, string | undefined>> = {
    CLIENT_SECRET: target.clientSecret,
    ACCESS_TOKEN: target.accessToken,
    PORTAL_LOGIN_ID: target.portalLoginId,
    PORTAL_PASSWORD: target.portalPassword,
    PORTAL_SESSION_ID: target.portalSessionId,
    CLIENT_KEY: target.clientKey,
  };
  const all = [
    ...(Object.entries(named) as [Label, string | undefined][]),
    ...Object.values(target.headers).flatMap((value) =>
      partsOf(value).map((part): [Label, string] => ['HEADER', part]),
    ),
    ...keysOf(target.testClockUrl).map((value): [Label, string] => ['API_KEY', value]),
    ...fixtureSecrets(fixtures).map((value): [Label, string] => ['FIXTURE_SECRET', value]),
  ];
  return all.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

/** Shorter parts of a header's value are names and schemes. */
const LEAST_PART = 8;

/** A header's value, and the secrets within it: what follows a scheme or a name, and Basic credentials (RFC 7617). */
function partsOf(value: string): string[] {
  const [first = '', ...others] = value.split(/[\s;,]+/);
  const isScheme = others.length > 0 && !first.includes('=');
  const parts = [...(isScheme ? [] : [first]), ...others].map((part) => part.replace(/^[\w.-]+=(?!=*$)/, ''));
  const [, encoded = ''] = /^Basic\s+(\S+)$/i.exec(value) ?? [];
  const credentials = Buffer.from(encoded, 'base64').toString();
  const [user = '', ...password] = credentials.split(':');
  const long = parts.filter((part) => part.length >= LEAST_PART);
  return [...new Set([value, ...long, credentials, user, password.join(':')])];
}

/** The values in an address's query that may be keys: of eight characters, or of four with a digit. */
const keysOf = (url: string | undefined): string[] =>
  url === undefined ? [] : [...new URL(url).searchParams.values()].filter((value) => /.{8}|^(?=.*\d).{4}/.test(value));
