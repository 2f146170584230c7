import { billId } from './bill-payments.ts';
import { bill } from './bills.ts';
import { endpoint, staff } from './endpoint.ts';
import { maxCovers } from './rules.ts';
import { id, nullable, object } from './schema.ts';

export const setCovers = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/bills/{id}/covers',
  name: 'setCovers',
  who: staff,
  summary: 'Enter the number of guests on a bill',
  details:
    'Null removes the number. Apps start with it when they split the bill equally: nothing else depends on it. A merge adds the numbers of both bills. Setting the current number again changes nothing.',
  params: billId,
  body: object({ covers: nullable(id().max(maxCovers)) }).example({ covers: 3 }),
  exampleNeeds: 'a bill',
  responses: { 200: { about: 'The bill', body: bill, headers: ['ETag'] } },
  problems: ['not_found', 'bill_not_open', 'version_mismatch'],
});
export const covers = [setCovers];
