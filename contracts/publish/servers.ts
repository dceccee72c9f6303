/** The documented addresses as server variables, and the security schemes. */
import type { Operation } from '../operation.ts';

type Json = { [name: string]: unknown };

/** A server whose address is a template; each variable has an invented default. */
function server(url: string, description: string, variables: Record<string, [string, string]>): Json {
  const named = Object.entries(variables).map(([name, [value, meaning]]) => [
    name,
    { default: value, description: meaning },
  ]);
  return { url, description, variables: Object.fromEntries(named) };
}

const AUTH_URL = 'https://auth.example';
const TENANT_PATH = 'tenant';

/** The servers of an interface's operations. */
export function serverOf(at: Operation['interface']): Json {
  if (at === 'token')
    return server('{auth_url}/{tenant_path}', 'Token and authorization endpoints.', {
      auth_url: [AUTH_URL, 'Address of the token and authorization endpoints.'],
      tenant_path: [TENANT_PATH, 'Path of the tenant; it may hold slashes.'],
    });
  if (at === 'v3')
    return server('{base_url}', 'Users and cards endpoints.', {
      base_url: ['https://base.example', 'Address of the users and cards endpoints.'],
    });
  return server('{portal_url}', 'The portal.', {
    portal_url: ['https://portal.example', 'Base address of the portal.'],
  });
}

const SCOPE = '<resource_uri>/.default';

/** An address below the authorization server, with its variables at their defaults, since a flow takes no variables. */
const flowUrl = (name: string) => `${AUTH_URL}/${TENANT_PATH}/B2C_1_signupandsignin/oauth2/v2.0/${name}`;

/**
 * Security schemes ("Authentication"). For v3, the flows and the resulting bearer token, for tools that do not support
 * flows.
 */
export function securitySchemes(at: 'v3' | 'v1'): Json {
  if (at === 'v1')
    return {
      sessionId: {
        type: 'apiKey',
        in: 'query',
        name: 'sessionId',
        description: 'Session identifier that login returns; valid until logout.',
      },
    };
  const scopes = { [SCOPE]: 'Full access to user calls, customer-specific access to card and payment calls.' };
  return {
    oauth2: {
      type: 'oauth2',
      description:
        'Sent in the Authorization header as Bearer; lives 60 minutes. The addresses are {auth_url}/{tenant_path}/B2C_1_signupandsignin/oauth2/v2.0/token and .../authorize, shown with the default values of the server variables.',
      flows: {
        clientCredentials: { tokenUrl: flowUrl('token'), scopes },
        authorizationCode: { authorizationUrl: flowUrl('authorize'), tokenUrl: flowUrl('token'), scopes },
      },
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'The same access token, however it was obtained.',
    },
  };
}

/** The security requirement of an operation, by its kind of authorisation. */
export const SECURITY = {
  none: [],
  bearer: [{ oauth2: [SCOPE], bearer: [] }],
  session: [{ sessionId: [] }],
} as const;
