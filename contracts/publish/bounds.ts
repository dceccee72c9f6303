/**
 * Additions to the published schemas, not used to judge bodies: bounds that keep other tools from generating useless
 * requests, and musts that the suite asserts by separate checks. None of this accuses a target in a run.
 */
import { numbers } from '../numbers.ts';
import { TOKEN_LIFETIME_SECONDS } from '../v3/token.ts';
import { USERS_MAX } from '../v3/users.ts';

type Keywords = Readonly<Record<string, unknown>>;

/** The additions to one shape. */
export interface ShapeBounds {
  /** Members without which a request is useless; the documents do not show whether they are required. */
  readonly required?: readonly string[];
  /** Keywords added to members. */
  readonly members?: Readonly<Record<string, Keywords>>;
}

/** By name of the shape. */
export const shapeBounds: Readonly<Record<string, ShapeBounds>> = {
  // No lower bound of 60 minutes: a reissued token has less time left.
  tokenResponse: { members: { expires_in: { minimum: 0, maximum: TOKEN_LIFETIME_SECONDS + numbers.expiresIn } } },
  customerResults: { members: { results: { maxItems: USERS_MAX } } },
  cardTransferFunds: { required: ['targetCardIdentifier', 'amount'] },
  updatePin: { required: ['pin'] },
  CIPCheck: { members: { dobMonth: { minimum: 1, maximum: 12 }, dobDay: { minimum: 1, maximum: 31 } } },
};

/** By operation id and parameter. */
export const parameterBounds: Readonly<Record<string, Keywords>> = {
  'users.list/max': { minimum: 1 },
  'cards.list/max': { minimum: 1 },
  'portal.getATMLocation/pageOffset': { minimum: 0 },
  'portal.getATMLocation/pageLength': { minimum: 1 },
};
