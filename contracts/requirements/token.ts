/** Hand-written requirements of the token endpoint. */
import type { Statement } from './requirement.ts';

export const tokenStatements: Record<string, Statement> = {
  'token.issue.error-response': {
    text: 'A refused token request is answered with 400 or 401 and a JSON error as in RFC 6749 section 5.2',
    readings: [16, 12],
    group: 'errors',
    level: 'should',
    section: 'Authentication',
    everyExchange: true,
  },
  'token.issue.token-type': {
    text: 'token_type is Bearer, in any case of letters (RFC 6749 section 7.1)',
    readings: [16],
    group: 'shape',
    level: 'should',
    section: 'Authentication',
    everyExchange: true,
  },
  'token.issue.no-store': {
    text: 'The answer with a token forbids storing it by Cache-Control: no-store (RFC 6749 section 5.1)',
    readings: [16],
    group: 'shape',
    level: 'should',
    section: 'Authentication',
    everyExchange: true,
  },
  'token.issue.expires-in': {
    text: 'expires_in is 3600 seconds, give or take 5',
    readings: [14],
    group: 'limits',
    section: 'tokenResponse (every field optional)',
  },
  'token.issue.expires-on': {
    text: 'expires_on lies 3600 seconds after the token is issued, give or take 300',
    readings: [14],
    group: 'limits',
    section: 'tokenResponse (every field optional)',
  },
  'token.issue.expires-after-not-before': {
    text: 'expires_on is later than not_before',
    readings: [14],
    group: 'limits',
    section: 'tokenResponse (every field optional)',
    everyExchange: true,
  },
  'token.issue.valid-from-not-before': {
    text: 'A token is not accepted more than 300 seconds before its not_before',
    readings: [14],
    group: 'authorisation',
    section: 'tokenResponse (every field optional)',
  },
  'token.issue.epoch-times': {
    text: 'expires_on and not_before are seconds or milliseconds since the epoch',
    readings: [14],
    group: 'shape',
    level: 'should',
    section: 'tokenResponse (every field optional)',
    everyExchange: true,
  },
  'token.issue.lives-60-minutes': {
    text: 'A token is accepted 59 minutes after it is issued',
    readings: [15],
    group: 'limits',
    section: 'States and transitions',
  },
  'token.issue.ends-after-60-minutes': {
    text: 'A token is refused 61 minutes after it is issued',
    readings: [15],
    group: 'limits',
    section: 'States and transitions',
  },
  'token.issue.usable-until-expiry': {
    text: 'No token younger than 60 minutes is refused with a 401 that a fresh token cures',
    readings: [15],
    group: 'limits',
    section: 'Limits',
    everyExchange: true,
  },
  'token.issue.earlier-token-lives': {
    text: 'Issuing another token leaves an earlier one valid',
    readings: [15],
    group: 'authorisation',
    section: 'Limits',
  },
  'token.issue.wrong-secret-refused': {
    text: 'A wrong client_secret gets no token',
    readings: [16],
    group: 'authorisation',
    section: 'Authentication',
  },
  'token.issue.unknown-client-refused': {
    text: 'An unknown client_id gets no token',
    readings: [16],
    group: 'authorisation',
    section: 'Authentication',
  },
};
