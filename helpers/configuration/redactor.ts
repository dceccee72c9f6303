import { SecretRedactor } from '../../redaction/redactor.ts';
import { PROXY_VARIABLES, proxyCredentials } from './addresses.ts';
import { configurationSecrets } from './secrets.ts';
import type { Configuration } from './types.ts';

/** A redactor that knows the configuration's secrets, and the user and password of a proxy, which may echo what it is sent. */
export function configuredRedactor(configuration: Configuration): SecretRedactor {
  const redactor = new SecretRedactor(configuration.run.personalData);
  for (const { label, value } of configurationSecrets(configuration)) redactor.learn(value, label);
  for (const name of Object.keys(configuration.target.headers)) redactor.learnHeader(name);
  for (const variable of Object.values(PROXY_VARIABLES).flat()) {
    const { user = '', password = '' } = proxyCredentials(process.env[variable] ?? '') ?? {};
    redactor.learn(user, 'LOGIN_ID');
    redactor.learn(password, 'PASSWORD');
  }
  return redactor;
}
