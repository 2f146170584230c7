import Joi from 'joi';
import { endpoint, roles, type Role } from './endpoint.ts';
import { actor } from './actor.ts';
import { maxCallsPerMinute } from './rules.ts';
import {
  amount,
  component,
  documented,
  id,
  line,
  list,
  money,
  nullable,
  object,
  oneOf,
  optional,
  tableName,
  text,
  time,
  type Infer,
} from './schema.ts';

export const callKinds = ['waiter', 'bill', 'other'] as const;
export type CallKind = (typeof callKinds)[number];
/** How guests who ask for the bill want to pay. */
export const callMethods = ['cash', 'card', 'account'] as const;
export type CallMethod = (typeof callMethods)[number];
export const callStatuses = ['open', 'taken', 'done', 'cancelled'] as const;
export type CallStatus = (typeof callStatuses)[number];
/** The statuses of a call that still needs a waiter. */
export const activeCallStatuses: readonly CallStatus[] = ['open', 'taken'];

/** The next statuses allowed for each status of a call, and who may set them: staff, or the guests in the call's seating. */
export const callTransitions: Readonly<Record<CallStatus, readonly { to: CallStatus; who: 'staff' | 'guest' }[]>> = {
  open: [
    { to: 'taken', who: 'staff' },
    { to: 'done', who: 'staff' },
    { to: 'cancelled', who: 'guest' },
  ],
  taken: [
    { to: 'open', who: 'staff' },
    { to: 'done', who: 'staff' },
    { to: 'cancelled', who: 'guest' },
  ],
  done: [],
  cancelled: [],
};
/** Returns true if this role may ever set `status`. */
export const setsCallStatus = (role: Role, status: CallStatus): boolean =>
  (role === 'customer') === (status === 'cancelled');

const kind = oneOf(...callKinds).example('bill');
const method = oneOf(...callMethods).example('card');
export const tableCall = component(
  'Call',
  object({
    id: id().example(51),
    kind,
    note: nullable(text(100)).example(null),
    method: nullable(method),
    /** What this guest wants to pay; null for all others. Absent in events from earlier releases. */
    amount: optional(nullable(money()).example(null)),
    table: nullable(text(16)).example('12'),
    seating: id().example(88),
    status: oneOf(...callStatuses).example('open'),
    version: id().example(1),
    placed_by: actor.example({ id: 5, role: 'customer' }),
    taken_by: nullable(actor).example(null),
    created_at: time(),
    taken_at: nullable(time()).example(null),
    done_at: nullable(time()).example(null),
  }),
);
export type TableCall = Infer<typeof tableCall>;
const takenCall = tableCall.example({
  id: 51,
  kind: 'bill',
  note: null,
  method: 'card',
  amount: null,
  table: '12',
  seating: 88,
  status: 'taken',
  version: 2,
  placed_by: { id: 5, role: 'customer' },
  taken_by: { id: 6, role: 'waiter' },
  created_at: '2026-11-20T21:00:00.000Z',
  taken_at: '2026-11-20T21:01:00.000Z',
  done_at: null,
});

export const placeCall = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/calls',
  name: 'call',
  who: roles,
  summary: 'Call a waiter to a table, or ask for its bill',
  details: `For guests at a table. Staff give a \`seating\`. A seating can have one open or taken call of each kind: a repetition returns it. With \`amount\`, what this guest wants to pay of the bill, each guest can have one. A seating may make ${maxCallsPerMinute} new calls a minute.`,
  body: documented(
    object({
      kind,
      note: optional(line(100)),
      method: optional(method),
      amount: optional(amount()),
      seating: optional(id()),
      table: optional(tableName()),
    }).custom((body: { kind: CallKind; method?: CallMethod; amount?: string }, rule) =>
      (body.method === undefined && body.amount === undefined) || body.kind === 'bill'
        ? body
        : rule.message({ custom: '"method" and "amount" belong to calls of the kind bill only' }),
    ),
    {
      schema: {
        anyOf: [
          { properties: { kind: { const: 'bill' } } },
          { properties: { method: { not: {} }, amount: { not: {} } } },
        ],
      },
    },
  ).example({ kind: 'bill', method: 'card' }),
  exampleNeeds: 'a guest',
  responses: {
    200: { about: 'The same call, which is already open or taken', body: tableCall },
    201: { about: 'The new call', body: tableCall },
  },
  problems: ['forbidden', 'unprocessable_content', 'table_mismatch', 'seating_closed'],
});
const statusList = Joi.string()
  .pattern(/^(open|taken)(,(open|taken))?$/)
  .messages({ 'string.pattern.base': '{{#label}} must be open, taken, or both, separated by a comma' })
  .example('open,taken');
export const listCalls = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/calls',
  name: 'listCalls',
  who: roles,
  summary: 'List open and taken calls, oldest first: guests see those of their seating, staff all',
  query: { status: optional(statusList) },
  responses: { 200: { about: 'The calls, at most 200', body: list(tableCall) } },
  problems: [],
});
export const updateCall = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/calls/{id}',
  name: 'updateCall',
  who: roles,
  summary: 'Take a call, release it or finish it; guests cancel it',
  details:
    'Staff set `taken`, `open` and `done`, the guests of its seating `cancelled`. If two waiters take it at the same time, one of them gets 409, and `taken_by` names the other.',
  params: { id: id().example(51) },
  body: object({ status: oneOf(...callStatuses) }).example({ status: 'taken' }),
  exampleNeeds: 'a call',
  responses: { 200: { about: 'The call', body: takenCall } },
  problems: ['not_found', 'forbidden', 'illegal_transition'],
});

export const calls = [placeCall, listCalls, updateCall];
