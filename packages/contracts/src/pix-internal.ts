import { paymentStatus } from './bill-payments.ts';
import { endpoint, roles } from './endpoint.ts';
import { currencyCode, id, money, nullable, object, oneOf, text, time, type Infer } from './schema.ts';

/** The facts about a payment by Pix that the transfers service needs. Unknown fields are ignored. */
const pixPayment = object({
  id: id().example(77),
  created_at: time(),
  /** `expired` means that the reservation has ended. */
  status: paymentStatus.example('reserved'),
  /** The amount with the tip. */
  total: money().example('110.00'),
  currency: currencyCode(),
  /** The end of the reservation; null unless the payment is reserved. */
  expires_at: nullable(time()),
  /** Who has said that the money is there; null until someone has. */
  confirmed_by: nullable(oneOf('bank', 'staff')).example(null),
}).unknown();
export type PixPayment = Infer<typeof pixPayment>;

/** The transfers service calls this with the access token of a user. Users who can't read the bill get 404. */
export const getPixPayment = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/internal/pix-payments/{id}',
  name: 'getPixPayment',
  who: roles,
  callers: ['transfers'],
  summary: 'Get a payment by Pix',
  params: { id: id().example(77) },
  responses: { 200: { about: 'The payment', body: pixPayment } },
  problems: ['not_found'],
});

/**
 * What a statement says. `payment`: a Pix has been received, or staff have seen it. `refund_begun`: its money is about to be
 * returned. `refunded`: the bank has returned it. `refund_failed`: it hasn't, and won't.
 */
export const pixPurposes = ['payment', 'refund_begun', 'refunded', 'refund_failed'] as const;
export type PixPurpose = (typeof pixPurposes)[number];
/** Why orders rejects a statement. */
export const pixRefusals = [
  'no_charge',
  'not_found',
  'wrong_amount',
  'already_paid',
  'refunded',
  'bill_closed',
  'part_taken',
] as const;
export type PixRefusal = (typeof pixRefusals)[number];

/** The payload of a statement `pix+jws` by the transfers service, which the `receipts` keys verify. */
export type PixStatement = {
  purpose: PixPurpose;
  /** The payment, and when it was reserved; both null if the Pix names none. */
  payment_id: number | null;
  payment_created_at: string | null;
  /** The amount of the Pix, with two decimal places. */
  amount: string;
  currency: string;
  /** The id of the Pix; null if staff confirm a payment. */
  end_to_end_id: string | null;
  confirmed_by: 'bank' | 'staff';
  /** The id of staff's confirmation; null if the bank has received the Pix. */
  confirmation_id: string | null;
  /** The id of the refund; null for a payment. */
  refund_id: string | null;
  /** Who has confirmed, assigned or refunded it; null if the service itself has found it. */
  by: { id: number; name: string; role: string } | null;
  /** What staff noted with their confirmation. Absent without a note. */
  reference?: string;
  /** When it was signed, in seconds since the epoch. */
  iat: number;
};

/** What orders has decided about a statement. It returns the same decision for every copy of the statement. */
const decision = object({
  outcome: oneOf('accepted', 'refused').example('accepted'),
  /** Null if it is accepted. */
  reason: nullable(oneOf(...pixRefusals)).example(null),
  payment_id: nullable(id()).example(77),
}).unknown();
export type PixDecision = Infer<typeof decision>;

/** The transfers service calls this without a user. Safe to retry. */
export const recordPixStatement = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/internal/pix-statements',
  name: 'recordPixStatement',
  who: 'anyone',
  callers: ['transfers'],
  summary: 'Decide what a Pix, or its refund, means for a payment, as a signed statement proves',
  details:
    'The decision is stored together with the bill, a rejection too. A statement that does not prove anything changes nothing: 409 `payment_not_payable`.',
  body: object({ statement: text(8192) }).unknown(),
  responses: { 200: { about: 'The decision', body: decision } },
  problems: ['payment_not_payable'],
});
