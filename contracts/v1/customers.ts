/** Customer lists of the portal. */
import { z } from 'zod';
import { v1 } from '../documents.ts';
import type { ShapeNote } from '../operation.ts';
import { boolean, integer, nineDigits, optional, string } from '../types.ts';
import { portal } from './portal.ts';

const portalCustomer = z
  .object({
    customerId: integer.optional(),
    ...optional(string, 'name', 'address1', 'address2', 'city', 'state'),
    ...optional(integer, 'zip', 'zip4'),
    ein: nineDigits.optional(),
    ...optional(string, 'website', 'businessType'),
    businessYrs: integer.optional(),
    ...optional(string, 'noEmployees', 'contactName', 'contactEmail', 'contactPhone', 'customerType'),
    topClientId: integer.optional(),
    ...optional(string, 'clientId', 'accountMgr'),
    accountMgrId: integer.optional(),
    launchDate: string.optional(),
    parentId: integer.optional(),
    parentName: string.optional(),
    ...optional(boolean, 'showVirtualAccountDashboard', 'twoFactorEnabled', 'hideOtherCards'),
    ...optional(string, 'notificationEmail', 'referredBy', 'ftpPath', 'ftpUserId', 'ftpPassword', 'phoneExtn'),
  })
  .meta({ id: 'Customer', description: 'A customer of the portal; every field is optional.' });

const customerItems = z.object({ items: z.array(portalCustomer).optional() }).meta({ id: 'CustomerItems' });

export const customerOperations = [
  portal('getCustomerList', 'List customers', 'GET', {
    more: 'Deprecated: use getCustomerHierarchy.',
    deprecated: true,
    success: customerItems,
    errors: [400, 401, 403, 404, 500],
  }),
  portal('getCustomerHierarchy', 'List the customers under a customer', 'GET', {
    more: 'Gives the customers under the given id, and its parent.',
    query: [{ name: 'customerId', type: 'integer', required: true }],
    success: customerItems,
    errors: [400, 401, 500],
  }),
];

const customerExample = {
  customerId: 4711,
  name: 'Example Rewards',
  city: 'Springfield',
  state: 'IL',
  zip: 62701,
  ein: '12-3456789',
  contactName: 'Ada Example',
  parentId: 4700,
  parentName: 'Example Holding',
  twoFactorEnabled: false,
};

/** The document's descriptions of the shapes, with an example of each. */
export const customerShapes: Record<string, ShapeNote> = {
  Customer: {
    source: v1('Customer (all fields optional)'),
    members: {
      customerId: 'Customer linked with the logged-in user.',
      zip4: 'Extended zip.',
      ein: 'Employer identification number: nine digits, a hyphen allowed.',
      businessYrs: 'Years in business.',
      noEmployees: 'Number of employees.',
      topClientId: 'A value from the top client ids of an operation that lists top clients.',
      clientId: 'Client identification number.',
      accountMgr: 'Account manager name.',
      parentId: 'Parent customer id.',
      parentName: 'Parent customer name.',
      ftpPassword: 'Returned as a placeholder.',
    },
    example: customerExample,
  },
  CustomerItems: { source: v1('Endpoints'), example: { items: [customerExample] } },
};
