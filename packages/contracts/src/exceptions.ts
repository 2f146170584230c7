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
 * Every way in which money or food can leave a bill, or a person decides about money. `cash_drawer_opened` does not occur
 * yet: it is listed so that clients from this release already know it.
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

export const exception = component(
  'Exception',
  object({
    id: id().example(5012),
    day: nullable(id())
      .example(214)
      .description('The number of its day. Null if it was stored before days were numbered.'),
    at: time(),
    kind: oneOf(...exceptionKinds).example('item_cancelled'),
    bill_id: nullable(id())
      .example(312)
      .description('The bill that the amount leaves. `order_moved`: the bill that the dishes leave.'),
    line_id: nullable(id()).example(2201).description('The line of the bill; null if it affects no single line.'),
    name: nullable(text(255)).example('Feijoada').description("The dish's name; null if it affects no single line."),
    amount: money()
      .example('65.00')
      .description(
        '`item_cancelled`: quantity × unit price. `order_moved`: the price of the dishes that moved. `remade`: quantity × unit price of the item as it was ordered, even if a remake is made again. `refunded`: without the tip. `discount`: the amount when it was given. `service_charge_declined`: that charge. `reopened`: the total of the bill. `pix_assigned`: the payment, without the tip.',
      ),
    by: nullable(object({ id: id().example(3), name: text(255).example('Marta') })).description(
      'The staff member who did it; null for a customer.',
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
  summary: 'List what was removed from bills or refunded, newest first',
  details:
    'Each entry is stored in the same write as its change, and never changes: dishes that staff have cancelled (one entry per line; not those that their customer cancels while `received`), orders and dishes moved to another bill, dishes prepared again, refunds, discounts, declined service charges, reopened bills, and Pix that a manager has assigned to a payment.',
  query: {
    kind: optional(oneOf(...exceptionKinds)),
    by: optional(id().description('The user id of the staff member who did it.')),
    since: optional(instant().description('From this time on.')),
    ...pagesByNumber,
  },
  responses: { 200: { about: 'One page', body: list(exception), headers: ['Link'] } },
  problems: [],
});

export const exceptions = [listExceptions];
