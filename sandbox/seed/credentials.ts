/** What a client of the sandbox signs in with. Constant: a sandbox guards nothing. */

/** Of the token endpoint, and of two users of the portal. */
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

/** Secrets hold characters that a form and a query must escape, so that a client that forgets it is found out. */
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
