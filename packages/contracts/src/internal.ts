import Joi from 'joi';
import { paymentStatus } from './bill-payments.ts';
import { endpoint, roles, staff, type BodyOf } from './endpoint.ts';
import { instant } from './instant.ts';
import { jwks } from './keys.ts';
import { getPixPayment, recordPixStatement } from './pix-internal.ts';
import { stepUpLists } from './rules.ts';
import {
  count,
  currencyCode,
  id,
  list,
  money,
  nullable,
  object,
  oneOf,
  optional,
  tableName,
  text,
  yesOrNo,
  type Infer,
} from './schema.ts';
import { endpointKey } from './step-up-keys.ts';

const consumption = {
  step_up_token: Joi.string().max(8192),
  endpoint_key: endpointKey(),
  call_hash: optional(Joi.string().pattern(/^[A-Za-z0-9_-]{43}$/)),
  details: optional(list(Joi.object<Record<string, unknown>>().unknown())),
};
/**
 * The response for a step-up token that was spent. `consent` proves the user's authorization: a compact JWS [RFC 7515] signed by
 * auth-stepup.
 */
const spentToken = object({ jti: text(64), pin_version: id(), first: yesOrNo(), consent: text(4096) });
/** Why a step-up token can't be spent. */
const consumptionProblems = [
  'step_up_invalid',
  'step_up_expired',
  'step_up_used',
  'step_up_wrong_endpoint',
  'step_up_wrong_details',
  'account_required',
  'transfers_stopped',
] as const;

/**
 * Services call this to spend a token, directly and not through the gateway. Unknown keys are ignored, so that a newer service
 * can call an older one.
 */
export const consumeStepUp = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/internal/step-up/consume',
  name: 'consumeStepUp',
  who: roles,
  liveSession: 'use_case',
  callers: ['transfers', 'orders'],
  summary: 'Spend a step-up token of the user whose access token is sent',
  body: object(consumption).unknown(),
  responses: {
    200: { about: 'The spent token; `first` is false if the same call had already spent it', body: spentToken },
  },
  problems: [...consumptionProblems],
});
export type ConsumeStepUp = BodyOf<typeof consumeStepUp>;

/**
 * Services call this to spend the tokens of several waiting requests at once. Release 1.0.0 accepts at most 32 tokens, in a body
 * of at most 32 KB.
 */
export const consumeStepUpList = endpoint({
  service: 'auth-stepup',
  method: 'POST',
  path: '/internal/step-up/consume-list',
  name: 'consumeStepUpList',
  who: 'anyone',
  callers: ['transfers', 'orders'],
  summary: "Spend several step-up tokens, each with its user's access token",
  body: object({
    requests: list(
      object({
        access_token: Joi.string().max(8192),
        traceparent: optional(text(55)),
        ...consumption,
      }).unknown(),
    )
      .min(1)
      .max(stepUpLists.maxTokens),
  }).unknown(),
  maxBodyKilobytes: stepUpLists.maxKilobytes,
  responses: {
    200: {
      about: 'For each request, in their order, what `POST /internal/step-up/consume` would have returned',
      body: object({
        results: list(
          object({
            status: count(),
            body: Joi.alternatives()
              .try(spentToken, object({ code: text(64) }))
              .required(),
          }),
        ),
      }),
    },
  },
  problems: [],
});

/** Services call this to fetch the public keys for receipts and checkpoints. auth-stepup publishes them in its JWKS. */
export const receiptKeys = endpoint({
  service: 'transfers',
  method: 'GET',
  path: '/internal/receipt-keys',
  name: 'receiptKeys',
  who: 'anyone',
  callers: ['auth-stepup'],
  summary: 'Get the public keys of receipts [RFC 7517]',
  responses: { 200: { about: 'All keys that have ever signed: receipts stay valid for ever', body: jwks } },
  problems: [],
});

const endedSeating = { seating: id().example(88), table: tableName().example('12') };
/**
 * The auth-stepup service calls this before it confirms that a table is closed, removed, or joined with another one. Safe to
 * retry.
 */
export const endSeating = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/internal/ended-seatings',
  name: 'endSeating',
  who: staff,
  callers: ['auth-stepup'],
  summary: 'End a seating: it accepts no more orders, or they go to the seating `into`',
  /** `into` is the seating that the guests and their new orders now belong to. */
  body: object({ ...endedSeating, into: optional(id()) }).unknown(),
  responses: {
    200: { about: 'Ended; a seating that had already ended gets the same response', body: object(endedSeating) },
  },
  problems: [],
});

export const claimPurposes = ['payment', 'refund'] as const;
export type ClaimPurpose = (typeof claimPurposes)[number];
/**
 * The facts about a payment from an account that the transfers service needs. Unknown fields are ignored, so that a newer orders
 * service can respond to an older transfers service.
 */
const accountPayment = object({
  id: id().example(77),
  bill_id: id().example(312),
  /** `expired` means that the reservation has ended without a payment. */
  status: paymentStatus.example('reserved'),
  total: money().example('110.00'),
  currency: currencyCode(),
  payer_id: id().example(5),
  /** The transfer that paid the amount; null until it was paid. */
  transfer_id: nullable(id()).example(null),
  /** The token that claimed the payment, while the payment is `claimed` or `refunding`; otherwise null. */
  claim: nullable(object({ purpose: oneOf(...claimPurposes), jti: text(64) })).example(null),
}).unknown();
export type AccountPayment = Infer<typeof accountPayment>;
const internalPayment = { id: id().example(77) };
const theAccountPayment = { about: 'The payment', body: accountPayment } as const;

/** The transfers service calls this with the payer's or a manager's access token. Other users get 404. */
export const getAccountPayment = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/internal/bill-payments/{id}',
  name: 'getAccountPayment',
  who: roles,
  account: 'required',
  callers: ['transfers'],
  summary: 'Get a payment by account',
  params: internalPayment,
  responses: { 200: theAccountPayment },
  problems: ['not_found'],
});
/**
 * The transfers service calls this before it posts a transfer: for `payment` with the payer's access token, for `refund` with a
 * manager's. Once a payment is claimed, only `settle` ends it. Safe to retry with the same `jti`.
 */
export const claimAccountPayment = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/internal/bill-payments/{id}/claim',
  name: 'claimAccountPayment',
  who: roles,
  account: 'required',
  callers: ['transfers'],
  summary: 'Claim a reserved payment, or a paid one for its refund, for one step-up token',
  details:
    'Returns 409 `payment_not_payable` if the payment has another status, another token has claimed it, a settlement has barred `jti`, or `token_expires_at` has passed.',
  params: internalPayment,
  body: object({
    purpose: oneOf(...claimPurposes),
    jti: text(64).example('0b1f7d5e-4a55-4d0f-8a5b-0d6f1e8f6c11'),
    token_expires_at: instant(),
    total: money().example('110.00'),
    currency: currencyCode(),
  }).unknown(),
  responses: { 200: theAccountPayment },
  problems: ['forbidden', 'not_found', 'payment_not_payable', 'amount_mismatch', 'currency_mismatch'],
});
/**
 * The transfers service calls this without a user, to report how a claim has ended. The statement is a compact JWS signed by
 * transfers: `receipt+jws` for a transfer of the kind `bill_payment` or `bill_refund`, `refusal+jws`, or `expiry+jws`. Safe to
 * retry.
 */
export const settleAccountPayment = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/internal/bill-payments/{id}/settle',
  name: 'settleAccountPayment',
  who: 'anyone',
  callers: ['transfers'],
  summary: 'Settle a claimed payment with a signed statement, or bar a token for it',
  details:
    "A receipt must match this payment, its payer, total and currency. Its token is the one that claimed the payment. It may be another one if the orders database was restored to a time before the claim. A refusal or an expiry bars its token for this payment, even if it hasn't claimed it. If it has, the payment becomes `failed`, or `paid` again if it was a refund. A statement that does not prove this changes nothing: 409 `payment_not_payable`.",
  params: internalPayment,
  body: object({ statement: text(8192) }).unknown(),
  responses: { 200: theAccountPayment },
  problems: ['not_found', 'payment_not_payable'],
});

/** Calls between services. The gateway does not forward them. */
export const internalEndpoints = [
  consumeStepUp,
  consumeStepUpList,
  receiptKeys,
  endSeating,
  getAccountPayment,
  claimAccountPayment,
  settleAccountPayment,
  getPixPayment,
  recordPixStatement,
];
