/** The OAuth 2.0 token endpoint. */
import { z } from 'zod';
import { v3 } from '../documents.ts';
import type { Operation } from '../operation.ts';
import { number, optional, string } from '../types.ts';

/** Lifetime of an access token in seconds: 60 minutes from generation (Limits, token lifetime). */
export const TOKEN_LIFETIME_SECONDS = 3600;

export const tokenRequest = z
  .object(optional(string, 'grant_type', 'scope', 'client_id', 'client_secret'))
  .meta({ id: 'tokenRequest', description: 'Form-encoded request for an access token.' });

/** Every field is optional in the document; without access_token the operation has no product, so it is required here. */
export const tokenResponse = z
  .object({
    access_token: string,
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
