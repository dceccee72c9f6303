/** Shipping options and ATM lookup. */
import { z } from 'zod';
import { v1 } from '../documents.ts';
import type { ShapeNote } from '../operation.ts';
import { string } from '../types.ts';
import { portal } from './portal.ts';

const shippingMethodItems = z.object({ items: z.array(string).optional() }).meta({ id: 'ShippingMethodItems' });

const UNABLE = { 400: 'Unable to retrieve.' };

export const shippingAndAtmOperations = [
  portal('getShippingFeeTypes', 'List shipping fee types', 'GET', {
    statuses: UNABLE,
    success: 'not shown',
    errors: [400],
  }),
  portal('getShippingMethods', 'List shipping methods', 'GET', {
    statuses: UNABLE,
    success: shippingMethodItems,
    errors: [400],
  }),
  portal('getATMLocation', 'Find ATMs near a place', 'GET', {
    statuses: { 400: 'Bad request data.' },
    query: [
      { name: 'latitude', type: 'string', required: true },
      { name: 'longitude', type: 'string', required: true },
      { name: 'pageOffset', type: 'integer', required: true, example: 1 },
      { name: 'pageLength', type: 'integer', required: true, example: 10 },
    ],
    success: 'not shown',
    errors: [400],
  }),
];

/** The document's descriptions of the shapes, with an example of each. */
export const shippingShapes: Record<string, ShapeNote> = {
  ShippingMethodItems: { source: v1('Endpoints'), example: { items: ['Standard', 'Overnight'] } },
};
