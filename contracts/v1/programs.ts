/** Customer programs. */
import { z } from 'zod';
import { v1 } from '../documents.ts';
import type { ShapeNote } from '../operation.ts';
import { boolean, integer, optional, string } from '../types.ts';
import { portal } from './portal.ts';

/** Names are case-sensitive: planId and PlanId are two members. */
const customerProgram = z
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
    more: 'The rowId of a program feeds card ordering as custProgId.',
    statuses: { 400: 'Invalid sessionId or customerId.', 404: 'Failed to get the list.' },
    query: [
      { name: 'customerId', type: 'integer', required: true, format: 'int64' },
      {
        name: 'showAutoCreated',
        type: 'boolean',
        required: true,
        note: 'true selects auto-created programs',
        example: false,
      },
      { name: 'showBranded', type: 'boolean', required: true, note: 'true selects branded programs', example: true },
    ],
    success: z.object({ items: z.array(customerProgram).optional() }).meta({ id: 'CustomerProgramItems' }),
    errors: [400, 404],
  }),
];

const programExample = {
  rowId: 815,
  customerId: 4711,
  productType: 'Corporate Reward',
  productName: 'Example Reward Card',
  status: 'Active',
  isInstantIssue: false,
  activeCount: 12,
  inventoryCount: 40,
  autoCreated: false,
};

/** The document's descriptions of the shapes, with an example of each. */
export const programShapes: Record<string, ShapeNote> = {
  CustomerProgram: {
    source: v1('CustomerProgram (all fields optional)'),
    members: { rowId: 'Customer program id; card ordering takes it as custProgId.' },
    example: programExample,
  },
  CustomerProgramItems: { source: v1('Endpoints'), example: { items: [programExample] } },
};
