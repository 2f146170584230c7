import { endpoint, manager } from './endpoint.ts';
import { instant } from './instant.ts';
import {
  component,
  id,
  list,
  money,
  nullable,
  object,
  oneOf,
  optional,
  pagesByNumber,
  text,
  time,
  type Infer,
} from './schema.ts';

/**
 * What takes money or food away from a bill. `remade`, `pix_assigned` and `cash_drawer_opened` are not made yet: they are named
 * so that readers of this release know them.
 */
export const exceptionKinds = [
  'item_cancelled',
  'order_moved',
  'remade',
  'refunded',
  'discount',
  'service_charge_declined',
  'reopened',
  'pix_assigned',
  'cash_drawer_opened',
] as const;
export type ExceptionKind = (typeof exceptionKinds)[number];

const exception = component(
  'Exception',
  object({
    id: id().example(5012),
    day: nullable(id()).example(null).description('Not used yet: always null.'),
    at: time(),
    kind: oneOf(...exceptionKinds).example('item_cancelled'),
    bill_id: nullable(id())
      .example(312)
      .description('The bill that it takes from. `order_moved`: the bill that the order leaves.'),
    line_id: nullable(id()).example(2201).description('The line of the bill; null if it is of no single line.'),
    name: nullable(text(255))
      .example('Feijoada')
      .description('What the dish is called; null if it is of no single line.'),
    amount: money()
      .example('65.00')
      .description(
        '`item_cancelled`: quantity × unit price. `order_moved`: the price of the order. `refunded`: without the tip. `discount`: what it took when it was given. `service_charge_declined`: that charge. `reopened`: the total of the bill.',
      ),
    by: nullable(object({ id: id().example(3), name: text(255).example('Marta') })).description(
      'Who did it; null for a customer.',
    ),
    reason: nullable(text(200)).example('Sold out').description('Null if none was given.'),
  }),
);

export type Exception = Infer<typeof exception>;

export const listExceptions = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/exceptions',
  name: 'listExceptions',
  who: manager,
  summary: 'List what was taken off bills or given back, newest first',
  details:
    'Each is stored by the write that makes it, and is never changed: dishes that staff have cancelled (one for each line; not what its customer cancels while it is `received`), orders moved to another bill, refunds, discounts, declined service charges, and bills that were opened again.',
  query: {
    kind: optional(oneOf(...exceptionKinds)),
    by: optional(id().description('The id of who did it.')),
    since: optional(instant().description('From this moment on.')),
    ...pagesByNumber,
  },
  responses: { 200: { about: 'One page', body: list(exception), headers: ['Link'] } },
  problems: [],
});

export const exceptions = [listExceptions];
