import Joi from 'joi';
import { endpoint, manager, staff } from './endpoint.ts';
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
  pagesByNumber,
  price,
  text,
  time,
  yesOrNo,
  type Infer,
} from './schema.ts';

/** The cash drawer that always exists. It is never retired. */
export const mainCashDrawer = 'main';
/** The maximum number of cash drawers, including retired ones. */
export const maxCashDrawers = 50;

export const cashDrawerName = (): Joi.StringSchema =>
  Joi.string()
    .pattern(/^[a-z0-9-]{1,32}$/)
    .messages({ 'string.pattern.base': '{{#label}} must be 1 to 32 lower-case letters, digits or hyphens' })
    .example(mainCashDrawer);

export const cashDrawerStatuses = ['active', 'retired'] as const;
const status = () => oneOf(...cashDrawerStatuses).example('active');

export const cashDrawer = component(
  'CashDrawer',
  object({
    name: cashDrawerName(),
    label: text(60).example('Bar'),
    status: status(),
    counted_at: nullable(time()).description('When it was last counted; null if it never was.'),
    moved: yesOrNo().example(false).description('True if cash moved in or out of it since its last count.'),
  }),
);
export type CashDrawer = Infer<typeof cashDrawer>;

/** The kinds of movements that a person enters. */
export const kindsByHand = ['float', 'pay_in', 'pay_out', 'drop', 'tip_out'] as const;
export type KindByHand = (typeof kindsByHand)[number];
export const movementKinds = ['payment', 'refund', ...kindsByHand, 'difference'] as const;
export type MovementKind = (typeof movementKinds)[number];
/** The ways in which money moves. */
export const movementMethods = ['cash', 'card', 'other', 'account', 'pix'] as const;
export type MovementMethod = (typeof movementMethods)[number];
const confirmers = ['bank', 'staff'] as const;
export type Confirmer = (typeof confirmers)[number];
export const movementMethod = () => oneOf(...movementMethods).example('cash');
export const confirmedBy = () =>
  nullable(oneOf(...confirmers))
    .example(null)
    .description('Null for all methods but `pix`.');
/** A staff member: the id and the name that the user had. */
export const staffMember = component('StaffMember', object({ id: id().example(3), name: text(255).example('Marta') }));

export const movement = component(
  'Movement',
  object({
    id: id().example(5013),
    day: id().example(214),
    at: time(),
    kind: oneOf(...movementKinds).example('pay_out'),
    method: movementMethod(),
    confirmed_by: confirmedBy(),
    cash_drawer: nullable(cashDrawerName()).description('Null if no cash moved.'),
    amount: money().example('-80.00').description('Positive for money in, negative for money out.'),
    tip: money().example('0.00'),
    bill_id: nullable(id()).example(null),
    payment_id: nullable(id()).example(null),
    by: nullable(staffMember).description('Null if a customer paid.'),
    reason: nullable(text(200)).example('Ice'),
    other: nullable(cashDrawerName()).example(null).description('The cash drawer on the other side.'),
    reverses: nullable(id()).example(null).description('The movement that this one reverses.'),
  }),
);
export type Movement = Infer<typeof movement>;

export const cashCount = component(
  'CashCount',
  object({
    id: id().example(5020),
    day: id().example(214),
    cash_drawer: cashDrawerName(),
    at: time(),
    by: staffMember,
    expected: nullable(money())
      .example('862.00')
      .description('Null for waiters, and for the first count of `main`, which holds something unknown then.'),
    counted: money().example('860.00'),
    difference: nullable(money()).example('-2.00').description('`counted` less `expected`; null if that is null.'),
    left: money().example('200.00').description('What stays in the cash drawer.'),
    to: nullable(cashDrawerName()).example(null).description('The cash drawer that gets the rest; null for none.'),
  }),
);
export type CashCount = Infer<typeof cashCount>;

const drawer = { name: cashDrawerName() };

export const listCashDrawers = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/cash-drawers',
  name: 'listCashDrawers',
  who: staff,
  summary: 'List the cash drawers, sorted by name',
  responses: { 200: { about: 'All cash drawers, including retired ones', body: list(cashDrawer) } },
  problems: [],
});
export const putCashDrawer = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/cash-drawers/{name}',
  name: 'putCashDrawer',
  who: manager,
  summary: 'Add a cash drawer, rename it, retire it or bring it back',
  details: `There can be ${maxCashDrawers} cash drawers, including retired ones. \`${mainCashDrawer}\` always exists and is never retired. Without \`label\`, a new one is labelled with its name, and an existing one keeps its label. Count a cash drawer and leave nothing in it before you retire it.`,
  params: drawer,
  body: object({ label: optional(line(60).example('Bar')), status: optional(status()) }).example({ label: 'Bar' }),
  responses: {
    200: { about: 'The cash drawer', body: cashDrawer },
    201: { about: 'The new cash drawer', body: cashDrawer },
  },
  problems: ['unprocessable_content', 'cash_drawer_not_empty'],
});
export const listMovements = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/cash-drawers/{name}/movements',
  name: 'listMovements',
  who: manager,
  summary: 'List the movements entered by hand since the last count, newest first',
  details: 'Payments and refunds are left out: their sum is what a count must find.',
  params: drawer,
  query: pagesByNumber,
  responses: { 200: { about: 'One page', body: list(movement), headers: ['Link'] } },
  problems: [],
});
export const listCounts = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/cash-drawers/{name}/counts',
  name: 'listCounts',
  who: manager,
  summary: 'List the counts of a cash drawer, newest first',
  params: drawer,
  query: pagesByNumber,
  responses: { 200: { about: 'One page', body: list(cashCount), headers: ['Link'] } },
  problems: [],
});
/** The kinds of movements that may name the cash drawer on the other side. */
export const kindsOfPairs: readonly KindByHand[] = ['float', 'drop'];
const kindsAlone = kindsByHand.filter((kind) => !kindsOfPairs.includes(kind));
/** Returns the JSON Schema of a body that has this field. */
const has = (name: string) => ({ required: [name], properties: { [name]: {} } });
export const addMovement = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/cash-drawers/{name}/movements',
  name: 'addMovement',
  who: manager,
  idempotencyKey: 'accepted',
  summary: 'Enter cash that moved in or out of a cash drawer, or reverse such a movement',
  details:
    '`float` and `pay_in` are money in; `pay_out`, `drop` and `tip_out` are money out. `amount` is positive. With `other`, a `float` comes from that cash drawer and a `drop` goes to it: both get a movement. No movement is rejected for lack of cash.\n\n`reverses` enters the opposite of a movement, or of both movements of a pair. This works once, on the same day, before either cash drawer is counted, and not for a reversal.',
  params: drawer,
  body: documented(
    object({
      kind: optional(oneOf(...kindsByHand)),
      amount: optional(amount()),
      other: optional(cashDrawerName()),
      reverses: optional(id()),
      reason: line(200),
    })
      .xor('kind', 'reverses')
      .and('kind', 'amount')
      .without('reverses', 'other'),
    // The service checks that only a `float` or a `drop` has `other`.
    {
      schema: {
        oneOf: [
          { required: ['kind', 'amount'], not: has('reverses') },
          {
            required: ['reverses'],
            not: { anyOf: ['kind', 'amount', 'other'].map(has) },
          },
        ],
        not: { required: ['other'], properties: { kind: { enum: kindsAlone }, other: {} } },
      },
    },
  ).example({ kind: 'pay_out', amount: '80.00', reason: 'Ice' }),
  responses: {
    201: { about: 'One movement, or both of a pair', body: list(movement), headers: ['Idempotent-Replayed'] },
  },
  problems: ['unprocessable_content', 'movement_not_reversible'],
});
export const countCashDrawer = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/cash-drawers/{name}/counts',
  name: 'countCashDrawer',
  who: staff,
  idempotencyKey: 'accepted',
  summary: 'Count a cash drawer without knowing what should be in it',
  details:
    'The count writes what is too much or missing as a movement of kind `difference`, and what is taken out as a `drop`. Managers may leave a part in the cash drawer (`left`, by default everything) and name the cash drawer that gets the rest (`to`). Waiters get no `expected` and no `difference`.',
  params: drawer,
  body: object({
    counted: price().example('860.00'),
    left: optional(price().example('200.00')),
    to: optional(cashDrawerName().example('safe')),
  }).example({ counted: '860.00' }),
  responses: { 201: { about: 'The count', body: cashCount, headers: ['Idempotent-Replayed'] } },
  problems: ['unprocessable_content'],
});

export const cashDrawers = [listCashDrawers, putCashDrawer, listMovements, listCounts, addMovement, countCashDrawer];
