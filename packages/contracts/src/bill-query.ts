import { paymentMethods } from './bill-payments.ts';
import { instant } from './instant.ts';
import { amount, id, oneOf, optional, pagesByNumber, someOf, tableName } from './schema.ts';

export const billStatuses = ['open', 'closed', 'merged'] as const;
export type BillStatus = (typeof billStatuses)[number];

/** The filters for bills. */
export const billQuery = {
  status: optional(someOf(billStatuses).example('open')),
  table: optional(tableName()),
  seating: optional(id()),
  number: optional(id().example(1207).description('The number that a bill gets when it is closed.')),
  since: optional(instant().description('Bills opened from this time on.')),
  until: optional(instant().description('Bills opened before this time.')),
  amount: optional(amount().description('Bills with a payment of this amount, with or without its tip.')),
  method: optional(oneOf(...paymentMethods).description('Bills with a payment by this method.')),
  person: optional(id().description('Bills with a payment that this user recorded, or made from an account.')),
  day: optional(id().example(214).description('Bills closed in the day with this number.')),
  ...pagesByNumber,
};
