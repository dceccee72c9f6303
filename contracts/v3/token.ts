/** The OAuth 2.0 token endpoint. */
import { z } from 'zod';
import { v3 } from '../documents.ts';
import type { Operation, ShapeNote } from '../operation.ts';
import { number, optional, product, string } from '../types.ts';

/** Lifetime of an access token in seconds: 60 minutes from generation (Limits, token lifetime). */
export const TOKEN_LIFETIME_SECONDS = 3600;

const tokenRequest = z
  .object(optional(string, 'grant_type', 'scope', 'client_id', 'client_secret'))
  .meta({ id: 'tokenRequest', description: 'Form-encoded request for an access token.' });

/** Every field is optional in the document; without access_token the operation has no product, so it is required here. */
const tokenResponse = z
  .object({
    access_token: product,
    ...optional(string, 'token_type', 'resource'),
    ...optional(number, 'not_before', 'expires_in', 'expires_on'),
  })
  .meta({ id: 'tokenResponse', description: 'An access token and what is said of it.' });

const operation = {
  interface: 'token',
  pathParameters: [],
  query: [],
  errors: [],
  risk: 'safe',
  authorisation: 'none',
} as const;

export const tokenOperations: readonly Operation[] = [
  {
    ...operation,
    id: 'token.issue',
    title: 'Issue an access token',
    more: 'The token is sent as Bearer in every other call of this document; it lives 60 minutes.',
    method: 'POST',
    path: '/{tenant_path}/B2C_1_signupandsignin/oauth2/v2.0/token',
    body: {
      mediaType: 'application/x-www-form-urlencoded',
      schema: tokenRequest,
      required: false,
      requiredMembers: [],
    },
    success: { status: 200, body: tokenResponse },
    listedOnly: false,
    source: v3('Token'),
  },
  {
    ...operation,
    id: 'token.authorize',
    title: 'Authorize on behalf of a user',
    method: 'GET',
    path: '/{tenant_path}/B2C_1_signupandsignin/oauth2/v2.0/authorize',
    listedOnly: true,
    source: v3('Authentication'),
  },
];

/** The document's descriptions of the shapes, with an example of each. */
export const tokenShapes: Record<string, ShapeNote> = {
  tokenRequest: {
    source: v3('tokenRequest (form-encoded, every field optional)'),
    members: {
      grant_type: 'Selects the grant; the programs and sub programs loaded depend on it. Its values are not shown.',
      scope: 'Access to resources that is granted to the token.',
      client_id: 'Unique reference that identifies the user.',
      client_secret: 'Secret of the client.',
    },
    example: {
      grant_type: 'client_credentials',
      scope: 'https://resource.example/.default',
      client_id: 'client-0001',
      client_secret: 'invented',
    },
  },
  tokenResponse: {
    source: v3('tokenResponse (every field optional)'),
    members: {
      access_token: 'The access token.',
      token_type: 'Token kind (OAuth 2.0).',
      not_before: 'Time after which the token is valid: seconds or milliseconds since the epoch.',
      expires_in: 'Lifetime of the token in seconds: 60 minutes from generation.',
      expires_on: 'Time at which the token stops being valid: seconds or milliseconds since the epoch.',
      resource: 'API resources that the token can access.',
    },
    example: {
      access_token: 'invented-access-token',
      token_type: 'Bearer',
      not_before: 1790000000,
      expires_in: 3600,
      expires_on: 1790003600,
      resource: 'https://resource.example',
    },
  },
};
