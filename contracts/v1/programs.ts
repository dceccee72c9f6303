/** Customer programs. */
import { z } from 'zod';
import { boolean, integer, optional, string } from '../types.ts';
import { portal } from './portal.ts';

/** Names are case-sensitive: planId and PlanId are two members. */
export const customerProgram = z
  .object({
    ...optional(integer, 'rowId', 'productId', 'customerId', 'planId', 'commissionId'),
    ...optional(boolean, 'einCheck', 'ofacCheck', 'bgCheck', 'websiteCheck'),
    ...optional(string, 'launchDate', 'status', 'productType', 'productName'),
    ...optional(boolean, 'hasVirtualFunding', 'isInstantIssue'),
    ...optional(integer, 'permSubprogramId', 'tmpSubProgramId', 'tmpPackageId', 'virtualSubprogramId'),
    ...optional(
      string,
      'permSubProgramName',
      'tmpSubProgramName',
      'virtualSubprogramName',
      'pricingPlanName',
      'commissionName',
      'commissionReferrerName',
      'permPackageName',
      'tmpPackageName',
      'invoicePymtOption',
      'VirtualPackageName',
      'shippingMethod',
      'fundingSource',
      'receiptAction',
      'customerName',
    ),
    ...optional(integer, 'activeCount', 'inventoryCount'),
    ...optional(boolean, 'isDeleted', 'autoCreated', 'hideOtherCards'),
    ...optional(integer, 'topParentId', 'fundingId', 'PlanId', 'permPackageId'),
    dueDiligenceNotes: string.optional(),
  })
  .meta({ id: 'CustomerProgram', description: 'rowId is the customer program id; every field is optional.' });

export const programOperations = [
  portal('getCustomerProgramList', 'List the programs of a customer', 'GET', {
    query: [
      { name: 'customerId', type: 'integer', required: true, format: 'int64' },
      { name: 'showAutoCreated', type: 'boolean', required: true, note: 'true selects auto-created programs' },
      { name: 'showBranded', type: 'boolean', required: true, note: 'true selects branded programs' },
    ],
    success: z.object({ items: z.array(customerProgram).optional() }).meta({ id: 'CustomerProgramItems' }),
    errors: [400, 404],
  }),
];
