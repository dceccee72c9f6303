/** Hand-written requirements of the customers (users) resource. */
import type { Statement } from './requirement.ts';

export const userStatements: Record<string, Statement> = {
  'users.list.at-most-50': {
    text: 'A request for more than 50 customers gets 400 with errors, or at most 50 customers',
    readings: [18],
    group: 'limits',
    section: 'Limits',
  },
  'users.list.never-more-than-50': {
    text: 'No answer of the customers listing holds more than 50 results',
    readings: [18],
    group: 'limits',
    section: 'Limits',
    everyExchange: true,
  },
  'users.list.max-accepted': {
    text: 'max from 1 to 50 is accepted',
    readings: [18],
    group: 'limits',
  },
  'users.list.max-respected': {
    text: 'No answer of the customers listing holds more results than max asks for',
    readings: [18],
    group: 'limits',
    everyExchange: true,
  },
  'users.list.pagination-ends': {
    text: 'Following continuationToken comes to an end',
    readings: [19],
    group: 'effects',
    section: 'customerResults',
  },
  'users.list.pagination-repeats-nobody': {
    text: 'Following continuationToken brings no customer twice',
    readings: [19],
    group: 'effects',
    section: 'customerResults',
  },
  'users.list.pagination-same-set': {
    text: 'Following continuationToken visits the same customers whatever the page size',
    readings: [19],
    group: 'effects',
    section: 'customerResults',
  },
  'users.list.filter-parent': {
    text: 'parentIdentifier narrows the listing to customers within that parent',
    readings: [20],
    group: 'parameters',
    needs: ['users.parentIdentifier'],
  },
  'users.list.filter-name': {
    text: 'name narrows the listing to customers whose name contains the value',
    readings: [20],
    group: 'parameters',
    needs: ['users.nameFragment'],
  },
  'users.list.filter-v1-identifier': {
    text: 'v1Identifier narrows the listing to the customer with that identifier in the v1 portal',
    readings: [20],
    group: 'parameters',
    needs: ['users.v1Identifier'],
  },
  'users.list.unmatched-name-empty': {
    text: 'A name that matches nobody gives an empty listing',
    readings: [11],
    group: 'parameters',
  },
  'users.list.unknown-filter-value': {
    text: 'An unknown parentIdentifier or v1Identifier never gives the whole listing',
    readings: [11, 20],
    group: 'parameters',
  },
  'users.list.padded-filter-value': {
    text: 'A value of a filter of customers with a blank before or behind it finds nothing',
    readings: [11],
    group: 'parameters',
    level: 'should',
  },
  'users.get.padded-identifier': {
    text: 'The identifier of a customer with a blank before or behind it is refused',
    readings: [11],
    group: 'errors',
    level: 'should',
  },
  'users.get.same-customer': {
    text: 'The customer answered is the one asked for',
    readings: [21],
    group: 'effects',
    everyExchange: true,
  },
  'users.setPermissions.same-customer': {
    text: 'The customer answered is the one whose permissions are updated',
    readings: [21],
    group: 'effects',
    everyExchange: true,
  },
  'users.setPermissions.any-members-accepted': {
    text: 'Permissions are accepted with no member, either member alone, and both',
    readings: [21],
    group: 'parameters',
    needs: ['users.writableCustomerIdentifier'],
  },
};
