import type { Client } from '@comanda/client/core';
import { computed, signal } from '@preact/signals';
import type { SettledTransfer } from './account/transfers.ts';
import type { Bills } from './bill/bills.ts';
import { createAnnouncer } from '@comanda/ui/announcer.ts';
import { openStops } from '@comanda/ui/open-stops.ts';
import { openRelease } from '@comanda/ui/web-app/release.ts';
import { openCalls } from './call/calls.ts';
import { openMenu } from './menu/menu.ts';
import { openBasket } from './order/basket.ts';
import type { openOrderSession, OrderSession } from './order/order-session.ts';
import { openSeat, type Seat } from './seat/seat.ts';

export type GuestSession = ReturnType<typeof openGuestSession>;

/** The state of this phone: its table, the menu and the basket. The orders and the bills join them once they are loaded. */
export function openGuestSession(client: Client) {
  const { announcement, announce } = createAnnouncer();
  const seat = openSeat(client);
  const calls = openCalls({ client, seat });
  /** The orders and the dishes' options; null until their part of the app is loaded. */
  const orderSession = signal<OrderSession | null>(null);
  const options = computed(() => orderSession.value?.options ?? null);
  const menu = openMenu(client, options);
  const basket = openBasket({ menu, seat, options, orders: computed(() => orderSession.value?.orders ?? null) });
  const release = openRelease('');
  const stops = openStops(client);
  /** The table's bills; null until their part of the app is loaded. */
  const bills = signal<Bills | null>(null);
  /** The outcomes of transfers that had no response when their user signed out on this phone. */
  const settledTransfers = signal<readonly SettledTransfer[]>([]);
  return {
    client,
    announcement,
    announce,
    seat,
    calls,
    menu,
    basket,
    release,
    stops,
    bills,
    options,
    orderSession,
    /** Opens the orders with a function from the part of the app that was loaded. Returns a function that closes them. */
    followOrders: (open: typeof openOrderSession): (() => void) => {
      const opened = open({ client, seat, menu, basket, announce });
      orderSession.value = opened;
      return () => {
        orderSession.value = null;
        opened.close();
      };
    },
    /** Opens the bills with a function from the part of the app that was loaded. Returns a function that closes them. */
    followBills: (open: (deps: { client: Client; seat: Seat }) => Bills): (() => void) => {
      const opened = open({ client, seat });
      bills.value = opened;
      return () => {
        bills.value = null;
        opened.close();
      };
    },
    settledTransfers,
    setSettled: (settled: readonly SettledTransfer[]) => {
      settledTransfers.value = settled;
    },
    close: () => {
      for (const part of [basket, menu, calls, seat, stops, release]) part.close();
    },
  };
}
