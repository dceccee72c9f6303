/** Credentials of the sandbox's clients. Constant, since a sandbox guards nothing. */

/** Credentials for the token endpoint, and for two users of the portal. */
export interface Credentials {
  tenantPath: string;
  clientId: string;
  clientSecret: string;
  scope: string;
  loginId: string;
  password: string;
  restrictedLoginId: string;
  restrictedPassword: string;
}

/** Secrets with characters that a form and a query must escape, to detect clients that do not. */
export const credentials: Credentials = {
  tenantPath: 'sandbox-tenant',
  clientId: 'sandbox-client',
  clientSecret: 'sandbox+client&secret=1%41',
  scope: 'https://cards.invalid/.default',
  loginId: 'sandbox.partner@partner.invalid',
  password: 'sandbox pass+word&1%41',
  restrictedLoginId: 'sandbox.clerk@partner.invalid',
  restrictedPassword: 'clerk pass+word&2%42',
};
