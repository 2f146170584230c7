import { CallFailure, type Client } from '@comanda/client';
import type { Order } from '@comanda/contracts/orders';
import { undoDeliveryMinutes } from '@comanda/contracts/rules';
import type { Bump } from '../bumps/bump.ts';
import { ticketOf } from '../bumps/ticket.ts';

const maxRecalls = 50;

/**
 * What was handed over on any screen and can still be brought back, the newest first, as bumps that were made. Empty if the
 * server is not reached.
 */
export async function readHandedOver(client: Client, station: string): Promise<readonly Bump[]> {
  try {
    const orders = await client.calls.listOrders({ status: 'delivered', sort: '-created_at', limit: maxRecalls });
    const since = client.now() - undoDeliveryMinutes * 60_000;
    return orders
      .flatMap((order) => handOverOf(order, station) ?? [])
      .filter(({ atMs }) => atMs > since)
      .toSorted((one, other) => other.atMs - one.atMs);
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure;
    return [];
  }
}

/** Null if the station has handed over nothing of the order. */
function handOverOf(order: Order, station: string): Bump | null {
  const items = ticketOf(order, station)?.items.filter(({ status }) => status === 'delivered') ?? [];
  if (items.length === 0) return null;
  return {
    id: `handed-over-${order.id}`,
    orderId: order.id,
    ticket: order.ticket,
    table: order.table,
    moves: items.map(({ id }) => ({ itemId: id, from: 'ready', to: 'delivered' })),
    dishes: items.map(({ quantity, name }) => (quantity > 1 ? `${quantity} ${name}` : name)),
    isTicket: true,
    wholeOrderTo: null,
    version: null,
    atMs: Date.parse(order.updated_at),
  };
}
