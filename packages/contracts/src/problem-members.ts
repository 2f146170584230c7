import { groupBy } from './collections.ts';
import Joi from 'joi';
import { type ResponseHeader, type AnyEndpoint, problemsOf } from './endpoint.ts';
import { paymentStatus } from './bill-payments.ts';
import { callStatuses } from './calls.ts';
import { actor } from './actor.ts';
import { optionDefects } from './options.ts';
import { statuses } from './order.ts';
import { explanationOf, problems, type ProblemCode } from './problems.ts';
import { pixReceiptState } from './pix.ts';
import { maxPinAttempts, maxTabletPinAttempts } from './rules.ts';
import {
  count,
  documented,
  id,
  list,
  money,
  component,
  nullable,
  object,
  onceEach,
  oneOf,
  optional,
  sha256,
  text,
  time,
  type Shape,
} from './schema.ts';

const fieldError = component(
  'FieldError',
  object({
    // A JSON Pointer. It may contain a key that the client made up, with any characters.
    pointer: documented(Joi.string().allow('').max(4096), { schema: { format: 'json-pointer' } }),
    detail: text(400).example('"items[0].quantity" must be less than or equal to 99'),
    in: optional(oneOf('query', 'path', 'header')),
  }).example({ pointer: '/items/0/quantity', detail: '"items[0].quantity" must be less than or equal to 99' }),
);
/** `unknown` means that the change may have been applied, even though the response is an error. */
const outcome = { outcome: optional(oneOf('unknown')) };

/** The fields of each problem, keyed by its code, in addition to those that every problem has. */
export const problemMembers = {
  validation_failed: { errors: list(fieldError) },
  unprocessable_content: { errors: list(fieldError) },
  malformed_json: { errors: optional(list(fieldError)) },
  internal_error: outcome,
  bad_gateway: outcome,
  service_unavailable: outcome,
  gateway_timeout: outcome,
  menu_item_unknown: {
    items: list(
      object({ index: count(), item_id: optional(id()), name: optional(text(255)) }).example({
        index: 0,
        name: 'Feijoada',
      }),
    ),
  },
  menu_item_unavailable: {
    items: list(
      object({
        item_id: id(),
        name: text(255).example('Feijoada'),
        portions_left: nullable(count().example(1)),
        /** The dish's options that are sold out; absent if none is. */
        option_ids: optional(list(id()).example([31])),
      }),
    ),
  },
  options_invalid: {
    items: list(
      object({
        index: count(),
        reason: oneOf(...optionDefects).example('too_few'),
        group_id: nullable(id().example(4)),
        option_id: nullable(id()).example(null),
        parent_option_id: nullable(id()).example(null),
      }),
    ),
  },
  option_group_in_use: { item_ids: list(id()).example([7]), option_group_ids: list(id()).example([]) },
  too_many_open_items: {
    limit: oneOf('orders', 'items', 'portions'),
    allowed: count().example(10),
    /** The id of the dish, if the dish's number of portions is the limit. */
    item_id: optional(id()),
  },
  picture_invalid: {
    reason: oneOf('unreadable', 'too_many_pixels', 'too_many_scans', 'animated').example('unreadable'),
  },
  ordering_paused: {
    paused_until: nullable(time().example('2026-11-20T21:30:00.000Z')),
    reason: nullable(text(200).example('The kitchen is full')),
  },
  transaction_password_invalid: {
    attempts_remaining: count()
      .max(maxPinAttempts - 1)
      .example(maxPinAttempts - 1),
  },
  tablet_pin_invalid: {
    attempts_remaining: count()
      .max(maxTabletPinAttempts - 1)
      .example(maxTabletPinAttempts - 1),
  },
  tablet_pin_blocked: { blocked_until: nullable(time().example('2026-11-20T21:15:00.000Z')) },
  transaction_password_blocked: { blocked_until: nullable(time().example('2026-11-20T21:30:00.000Z')) },
  bill_changed: { amount: money().example('52.09'), remaining: money().example('104.17'), version: id().example(9) },
  bill_unsettled: { remaining: money().example('52.08'), payments: list(id()).example([]) },
  bill_item_settled: { line_id: id().example(2201), payment_ids: list(id()).example([77]) },
  bill_overpaid: { by: money().example('4.00') },
  bill_split_conflict: {
    shares_of: optional(count().example(4)),
    shares_taken: optional(count().example(1)),
    line_id: optional(id()),
  },
  refund_by_pix: { end_to_end_id: nullable(text(64).example('E00000000202611202100abcdef12345')) },
  pix_receipt_state: { state: pixReceiptState.example('settling') },
  payment_not_payable: { payment_status: paymentStatus.example('refunded') },
  amount_mismatch: { total: money().example('110.00') },
  amount_exceeds_remaining: { remaining: money().example('52.08') },
  day_changed: { number: id().example(214), previous_hash: sha256() },
  day_not_closable: {
    /** The ids of up to 100 open bills with lines that are not carried over. */
    bills: list(id()).example([312]),
    /** How many such bills there are. */
    bill_count: count().example(1),
    /** The names of the cash drawers that must be counted. */
    cash_drawers: list(text(32)).example(['main']),
  },
  discount_too_large: { at_most: money().example('65.00') },
  illegal_transition: {
    allowed_transitions: list(oneOf(...new Set([...statuses, ...callStatuses]))).example(['preparing', 'cancelled']),
    /** The waiter who took the call, if the call is already taken. */
    taken_by: optional(actor),
  },
} satisfies Partial<Record<ProblemCode, Shape>>;

/** Returns the fields that only this code has; undefined if it has none. */
export const membersOf = (code: ProblemCode): Shape | undefined =>
  (problemMembers as Partial<Record<ProblemCode, Shape>>)[code];

/** The headers for each problem, keyed by its code, in addition to those that every response with its status has. */
export const problemHeaders: Readonly<Partial<Record<ProblemCode, readonly ResponseHeader[]>>> = {
  // This is decided after the step-up token was spent, so the response is saved for retries, like a success.
  insufficient_funds: ['Idempotent-Replayed'],
  payment_not_payable: ['Idempotent-Replayed'],
};

/** Converts `menu_item` to `MenuItem`. */
export const titleCase = (code: string): string =>
  code.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** Returns the schema for problem `code` [RFC 9457], for the documents and for tests. */
export const problemSchema = onceEach(createProblemSchema);

function createProblemSchema(code: ProblemCode): Joi.ObjectSchema {
  const { status, title } = problems[code];
  const about = explanationOf(code);
  return component(
    `${titleCase(code)}Problem`,
    object({
      type: oneOf(`/problems/${code}`),
      title: oneOf(title),
      status: Joi.number().valid(status),
      code: oneOf(code),
      detail: optional(text(1000).example(about)),
      request_id: text(64).example('0b8f6f0e-6d0c-4f6e-9a0b-3a1f5f1d2c11'),
      ...membersOf(code),
    }),
  ).description(about);
}

/** Returns the problems that `contract` may return, grouped by status in ascending order. */
export function problemsByStatus(contract: AnyEndpoint): [status: number, codes: ProblemCode[]][] {
  const byStatus = groupBy(problemsOf(contract), (code) => problems[code].status);
  return [...byStatus].sort(([a], [b]) => a - b);
}
