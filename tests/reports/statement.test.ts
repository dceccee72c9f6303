/** The sentence that a failure is shown with. */
import { expect, test } from 'vitest';
import { statementOf } from '../../reports/statement.ts';

test.each([
  ['portal.getCustomerList.shape', '/items/0/parentId', 'parentId, parentName'],
  ['portal.getCustomerList.shape', '/items', 'getCustomerList (deprecated)'],
  ['cards.get.shape', '/customerIdentifier', 'customerIdentifier'],
  ['cards.list.shape', '/results/0/customFields/customField4', 'customFields'],
])('%s at %s is shown with what the documents say of that', (id, pointer, row) => {
  expect(statementOf(id, pointer)?.row).toBe(row);
});
