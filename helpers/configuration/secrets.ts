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
    ...Object.values(target.headers).map((value): [Label, string] => ['HEADER', value]),
    ...fixtureSecrets(fixtures).map((value): [Label, string] => ['FIXTURE_SECRET', value]),
  ];
  return all.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}
