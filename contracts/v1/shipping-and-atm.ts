/** Shipping options and ATM lookup. */
import { z } from 'zod';
import { string } from '../types.ts';
import { portal } from './portal.ts';

export const shippingMethodItems = z.object({ items: z.array(string).optional() }).meta({ id: 'ShippingMethodItems' });

export const shippingAndAtmOperations = [
  portal('getShippingFeeTypes', 'List shipping fee types', 'GET', { success: 'not shown', errors: [400] }),
  portal('getShippingMethods', 'List shipping methods', 'GET', { success: shippingMethodItems, errors: [400] }),
  portal('getATMLocation', 'Find ATMs near a place', 'GET', {
    query: [
      { name: 'latitude', type: 'string', required: true },
      { name: 'longitude', type: 'string', required: true },
      { name: 'pageOffset', type: 'integer', required: true },
      { name: 'pageLength', type: 'integer', required: true },
    ],
    success: 'not shown',
    errors: [400],
  }),
];
