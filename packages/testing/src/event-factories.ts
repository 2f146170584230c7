import type { CloudEvent } from '@comanda/contracts/event-data';

const now = (): string => new Date().toISOString();
const envelope = { specversion: '1.0', source: '/orders', datacontenttype: 'application/json' } as const;

type OrderEventOptions = {
  orderId: number;
  version?: number;
  /** The id of the customer who placed the order. The default is 5. */
  placedBy?: number;
  seating?: number | null;
  table?: string | null;
  remarks?: string;
  id?: string;
};

function order({ orderId, version = 1, placedBy = 5, seating = null, table = null, remarks = '' }: OrderEventOptions) {
  const time = now();
  return {
    id: orderId,
    ticket: (orderId % 1000) + 1,
    table,
    seating,
    status: 'received' as const,
    version,
    allergies: null,
    seen_at: null,
    delivered_at: null,
    items: [
      {
        id: orderId * 10 + 1,
        item_id: 7,
        name: 'Feijoada',
        quantity: 2,
        remarks,
        unit_price: '32.50',
        station: 'kitchen',
        status: 'received' as const,
      },
    ],
    total: '65.00',
    currency: 'BRL',
    placed_by: { id: placedBy, name: 'Ana' },
    created_at: time,
    updated_at: time,
  };
}

/** Creates an `order.created` event like those from the orders service. */
export const orderCreated = (options: OrderEventOptions): CloudEvent<'order.created'> => ({
  ...envelope,
  id: options.id ?? crypto.randomUUID(),
  type: 'order.created',
  subject: String(options.orderId),
  time: now(),
  data: { order: order(options) },
});

/** Creates an `order.status_changed` event: a waiter has changed the order from `received` to `preparing`. */
export const orderStatusChanged = (options: OrderEventOptions): CloudEvent<'order.status_changed'> => ({
  ...envelope,
  id: options.id ?? crypto.randomUUID(),
  type: 'order.status_changed',
  subject: String(options.orderId),
  time: now(),
  data: {
    order: { ...order(options), status: 'preparing' },
    from: 'received',
    to: 'preparing',
    actor: { id: 2, role: 'waiter' },
  },
});

/** Creates an `ordering.changed` event, which every client receives. */
export const orderingChanged = (reason: string, version = 1): CloudEvent<'ordering.changed'> => ({
  ...envelope,
  id: crypto.randomUUID(),
  type: 'ordering.changed',
  subject: 'ordering',
  time: now(),
  data: { paused_until: null, reason, version },
});
