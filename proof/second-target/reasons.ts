/** Reasons of refusals, with their default statuses. */
export const statuses = {
  'no-token': 401,
  'bad-token': 401,
  'expired-token': 401,
  'bad-client': 401,
  'bad-grant': 400,
  'bad-scope': 400,
  'bad-body': 400,
  'missing-field': 400,
  'bad-field': 400,
  'bad-max': 400,
  'bad-continuation': 400,
  'unknown-filter': 400,
  'unknown-customer': 400,
  'customer-out-of-reach': 403,
  'unknown-card': 410,
  'card-out-of-reach': 403,
  'proxy-incomplete': 422,
  'bad-flag': 400,
  'nonce-used': 409,
  transition: 409,
  'wrong-state': 409,
  'cannot-spend': 409,
  'cannot-receive': 409,
  'unknown-target': 422,
  'target-out-of-reach': 403,
  'same-card': 400,
  'bad-amount': 400,
  'insufficient-funds': 402,
  'bad-pin': 422,
  rule: 422,
  'bad-login': 400,
  'bad-session': 400,
  'not-entitled': 401,
  'bad-customer-id': 400,
  'foreign-customer-id': 401,
  'bad-place': 400,
  'bad-page': 400,
  'bad-person': 400,
  'bad-order': 400,
  'unknown-program': 404,
  'foreign-program': 403,
  'digital-off': 403,
  'load-off': 403,
  'load-incomplete': 400,
  'other-info-missing': 400,
  'other-info-duplicate': 409,
  'order-duplicate': 409,
  'load-duplicate': 409,
  'no-route': 404,
} as const satisfies Record<string, number>;

/** The reason of a refusal. */
export type Reason = keyof typeof statuses;

/** A refusal, thrown on its way to the caller. */
export class Refusal {
  readonly reason: Reason;
  readonly field: string | undefined;
  readonly status: number | undefined;

  constructor(reason: Reason, field?: string, status?: number) {
    this.reason = reason;
    this.field = field;
    this.status = status;
  }
}
