/** Customer lists of the portal. */
import { z } from 'zod';
import { boolean, integer, nineDigits, optional, string } from '../types.ts';
import { portal } from './portal.ts';

export const portalCustomer = z
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

export const customerItems = z.object({ items: z.array(portalCustomer).optional() }).meta({ id: 'CustomerItems' });

export const customerOperations = [
  portal('getCustomerList', 'List customers', 'GET', {
    deprecated: true,
    success: customerItems,
    errors: [400, 401, 403, 404, 500],
  }),
  portal('getCustomerHierarchy', 'List the customers under a customer', 'GET', {
    query: [{ name: 'customerId', type: 'integer', required: true }],
    success: customerItems,
    errors: [400, 401, 500],
  }),
];
