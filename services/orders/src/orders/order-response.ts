import type { Order as OrderResponse, OrderInEvent } from '@comanda/contracts/order';
import { transitionsOfOrder, type ViewerRole } from '@comanda/contracts/transitions';
import { fromMinor } from '../money.ts';
import { markedStations, marksOfOrder } from './order-stations.ts';
import { measureOf, movable, translatedNameOf, type Marks, type Order } from './order.ts';

/** Returns the total in minor units, without cancelled items. */
const totalMinor = ({ items }: Pick<Order, 'items'>): number =>
  items.reduce(
    (sum, { status, quantity, unitPriceMinor }) => sum + (status === 'cancelled' ? 0 : quantity * unitPriceMinor),
    0,
  );

const toMarks = ({ seenAt, seenOn, allergiesReadAt }: Marks) => ({
  seen_at: seenAt?.toISOString() ?? null,
  seen_on: seenOn,
  allergies_read_at: allergiesReadAt?.toISOString() ?? null,
});

/** Converts an order to the form that events contain. */
export const toEventOrder = (order: Order): OrderInEvent => ({
  id: order.id,
  ticket: order.ticket,
  table: order.table,
  seating: order.seating,
  bill_id: order.billId,
  split_from: order.splitFrom,
  status: order.status,
  version: order.version,
  allergies: order.allergies,
  ...toMarks(marksOfOrder(order)),
  stations: markedStations(order).map((each) => ({ station: each.station, ...toMarks(each) })),
  delivered_at: order.deliveredAt?.toISOString() ?? null,
  items: order.items.map((item) => ({
    id: item.id,
    item_id: item.itemId,
    name: item.name,
    ...translatedNameOf(item),
    quantity: item.quantity,
    remarks: item.remarks,
    unit_price: fromMinor(item.unitPriceMinor),
    ...measureOf(item),
    station: item.station,
    status: item.status,
    first_delivered_at: item.firstDeliveredAt?.toISOString() ?? null,
    options: [...item.options],
    kitchen_name: item.kitchenName,
    part_of: item.partOf,
    split_from: item.splitFrom,
    remake: item.remake && { of: item.remake.of, reason: item.remake.reason },
  })),
  total: fromMinor(totalMinor(order)),
  currency: order.currency,
  placed_by: { id: order.ownerId, name: order.ownerName },
  created_at: order.createdAt.toISOString(),
  updated_at: order.updatedAt.toISOString(),
});

type Viewer = { viewerRole: ViewerRole; now: Date };

/** Converts an order to the API's response for this viewer. */
export const toOrderResponse = (order: Order, { viewerRole, now }: Viewer): OrderResponse => ({
  ...toEventOrder(order),
  allowed_transitions: transitionsOfOrder(movable(order, now), viewerRole).map(({ to }) => to),
});
