import type { Answer, Refusal, Rules } from './model.ts';

export const errorRules = {
  v3Errors: ({ status, field, code, message }: Refusal): Answer => ({
    status,
    body: [{ fieldName: field, errorCode: code, errorMessage: message }],
  }),
  portalError: ({ status, field, message }: Refusal): Answer => ({
    status,
    body: { kind: `ErrorObj${status}`, reason: message, at: field },
  }),
  tokenError: (status: number, error: string): Answer => ({ status, body: { error, error_description: 'No token' } }),
  integer(text: string): number | undefined {
    return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
  },
  flag(text: string): boolean | undefined {
    if (text === 'true') return true;
    return text === 'false' ? false : undefined;
  },
} satisfies Partial<Rules>;
