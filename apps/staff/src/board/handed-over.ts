import { CallFailure, type Client } from '@comanda/client/core';
import type { Order } from '@comanda/contracts/order';
import { undoDeliveryMinutes } from '@comanda/contracts/rules';
import type { Bump } from '../bumps/bump.ts';
import { leavesWhenReady, type StationRules } from '../bumps/station-rules.ts';
import { kitchenText, previousStatus, ticketOf } from '../bumps/ticket.ts';
import { maxRecalls } from './done-bumps.ts';

/**
 * Returns the orders that have left the station on any screen and can still be recalled, newest first, as bumps. They were handed
 * over, or are ready at a station that doesn't hand out. Null if the server can't be reached.
 */
export async function readHandedOver(
  client: Client,
  station: string,
  rules: StationRules,
): Promise<readonly Bump[] | null> {
  const isGoneWhenReady = leavesWhenReady(rules, station);
  const status = isGoneWhenReady ? 'preparing,ready,delivered' : 'delivered';
  try {
    const orders = await client.calls.listOrders({ status, sort: '-created_at', limit: maxRecalls });
    const since = client.now() - undoDeliveryMinutes * 60_000;
    return orders
      .flatMap((order) => handOverOf(order, { station, isGoneWhenReady }) ?? [])
      .filter(({ atMs }) => atMs > since)
      .sort((one, other) => other.atMs - one.atMs);
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure;
    return null;
  }
}

type Station = { station: string; isGoneWhenReady: boolean };

/** Returns the bump with which the order left the station; null if part of the order is still there. */
function handOverOf(order: Order, { station, isGoneWhenReady }: Station): Bump | null {
  const all = ticketOf(order, station)?.items.filter(({ status }) => status !== 'cancelled') ?? [];
  const items = all.filter(({ status }) => status === 'delivered' || (isGoneWhenReady && status === 'ready'));
  if (items.length === 0 || (isGoneWhenReady && items.length < all.length)) return null;
  return {
    id: `handed-over-${order.id}`,
    orderId: order.id,
    ticket: order.ticket,
    table: order.table,
    moves: items.map(({ id, status }) => ({ itemId: id, from: previousStatus(status) ?? status, to: status })),
    dishes: items.map(kitchenText),
    isTicket: true,
    wholeOrderTo: null,
    version: null,
    atMs: Date.parse(order.updated_at),
  };
}
