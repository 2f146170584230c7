import Joi from 'joi';
import { cashCount, cashDrawerName, confirmedBy, movementKinds, movementMethod, staffMember } from './cash-drawers.ts';
import { endpoint, manager } from './endpoint.ts';
import { exceptionKinds } from './exceptions.ts';
import {
  component,
  count,
  date,
  documented,
  id,
  line,
  list,
  money,
  nullable,
  object,
  oneOf,
  optional,
  pagesByNumber,
  sha256,
  text,
  time,
  yesOrNo,
  type Infer,
} from './schema.ts';

/** The maximum number of bills that a closing may name to carry them over. */
const maxCarriedOver = 1000;

const runningDay = component(
  'RunningDay',
  object({
    number: id().example(214),
    business_date: date().description('The date of most of its payments; without any, of now.'),
    opened_at: time().description('When the day before was closed.'),
    overdue: yesOrNo().example(false).description('True if `business_date` is past.'),
    previous_hash: sha256().description('The `hash` of the day before; 64 zeros for day 1.'),
    open_bills: list(
      object({
        id: id().example(312),
        table: nullable(text(16)).example('12'),
        created_at: time(),
        remaining: money(),
      }),
    ).description('Up to 200 open bills with lines, oldest first.'),
    open_bill_count: count().example(1),
    cash_drawers: list(object({ name: cashDrawerName(), moved: yesOrNo().example(false) })),
  }),
);
export type RunningDay = Infer<typeof runningDay>;

export const takings = component(
  'Takings',
  object({
    method: movementMethod(),
    confirmed_by: confirmedBy(),
    count: count().example(61),
    amount: money().example('6742.09'),
    tips: money().example('0.00'),
  }),
);
export type Takings = Infer<typeof takings>;

/** Sums by kind of movement. A kind whose movements add up to 0.00 is absent. */
const sums = documented(
  Joi.object<Partial<Record<(typeof movementKinds)[number], string>>>(
    Object.fromEntries(movementKinds.map((kind) => [kind, money().optional()])),
  ).required(),
  {},
).example({ payment: '6742.09', pay_out: '-80.00', drop: '-6662.09' });

export const dayReport = component(
  'DayReport',
  object({
    number: id().example(214),
    business_date: date(),
    opened_at: time(),
    closed_at: time(),
    closed_by: staffMember,
    note: nullable(text(200)).example(null),
    bills: object({
      count: count().example(93).description('Bills closed in this day.'),
      first_number: nullable(id()).example(8122).description('The first number given in this day; null for none.'),
      last_number: nullable(id()).example(8214),
    }),
    sales: object({
      items_total: money().example('9000.00'),
      discount_total: money().example('100.00'),
      service_charge: money().example('890.00'),
      rounding: money().example('0.01'),
      total: money().example('9790.01'),
    }),
    payments: list(takings),
    refunds: list(takings).example([]),
    refunded_after_closing: money().example('0.00'),
    unsettled: object({
      before: money().example('0.00').description('`after` of the day before.'),
      after: money().example('52.08').description('What is paid of open bills.'),
    }),
    cash_drawers: list(
      object({
        name: cashDrawerName(),
        opening: money().example('200.00').description('What the last report with this cash drawer left in it.'),
        sums,
        left: money().example('200.00').description('`opening` and `sums` together.'),
        counts: list(cashCount),
      }),
    ),
    exceptions: list(
      object({
        kind: oneOf(...exceptionKinds).example('item_cancelled'),
        count: count().example(2),
        amount: money().example('64.00'),
      }),
    ),
    carried_over: object({ count: count().example(1), bills: list(id()).example([312]) }),
    entries_hash: sha256().description("The hash of the day's movements, counts and exceptions."),
    consent: text(8192)
      .example('eyJhbGciOiJFUzI1NiIsInR5cCI6ImNvbnNlbnQrandzIn0.eyJzdWIiOiIzIn0.c2lnbmF0dXJl')
      .description('The statement that the manager approved this closing, as a JWS [RFC 7515].'),
    previous_hash: sha256(),
    hash: sha256().description('SHA-256 of the report without `hash`, in canonical form [RFC 8785].'),
  }),
);
export type DayReport = Infer<typeof dayReport>;

export const getDay = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/day',
  name: 'getDay',
  who: manager,
  summary: 'Get the running day: what must be done before it can be closed',
  responses: { 200: { about: 'The running day', body: runningDay } },
  problems: [],
});
export const closeDay = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/day/close',
  name: 'closeDay',
  who: manager,
  stepUp: {
    key: 'day.close',
    details: { type: 'day_close', members: { number: 'number', previous_hash: 'previous_hash' } },
    required: true,
  },
  idempotencyKey: 'accepted',
  summary: 'Close the running day with your PIN, which seals all days before it',
  details:
    'Count each cash drawer first. Close open bills, or carry them over to the next day: `all`, or their ids. Bills without lines stay open. The token is spent after these checks. If the day changes at the same moment, the same request may be sent again with its token, and its key if it had one.',
  body: object({
    number: id().example(1),
    previous_hash: sha256(),
    carry_over: optional(
      documented(Joi.alternatives<'all' | number[]>().try(Joi.valid('all'), list(id()).max(maxCarriedOver)), {}),
    ),
    note: optional(line(200)),
  }).example({ number: 1, previous_hash: '0'.repeat(64), carry_over: 'all' }),
  exampleNeeds: 'a day to close',
  responses: { 201: { about: 'The report', body: dayReport, headers: ['Location', 'Idempotent-Replayed'] } },
  problems: ['day_changed', 'day_not_closable'],
});
export const listDays = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/days',
  name: 'listDays',
  who: manager,
  summary: 'List the reports of closed days, newest first',
  query: { date: optional(date().description('Only days with this `business_date`.')), ...pagesByNumber },
  responses: { 200: { about: 'One page', body: list(dayReport), headers: ['Link'] } },
  problems: [],
});
export const getDayReport = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/days/{number}',
  name: 'getDayReport',
  who: manager,
  summary: 'Get the report of a closed day, always with the same bytes',
  params: { number: id().example(1) },
  exampleNeeds: 'a closed day',
  responses: { 200: { about: 'The report', body: dayReport } },
  problems: [],
});

export const days = [getDay, closeDay, listDays, getDayReport];
