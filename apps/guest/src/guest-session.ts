import type { Client } from '@comanda/client/core';
import { signal } from '@preact/signals';
import type { SettledTransfer } from './account/transfers.ts';
import type { Bills } from './bill/bills.ts';
import { createAnnouncer } from '@comanda/ui/announcer.ts';
import { openStops } from '@comanda/ui/open-stops.ts';
import { openRelease } from '@comanda/ui/web-app/release.ts';
import { openCalls } from './call/calls.ts';
import { openMenu, type Menu } from './menu/menu.ts';
import { openBasket } from './order/basket.ts';
import type { Options } from './menu/options.ts';
import { openOrders } from './order/orders.ts';
import { openSending } from './order/sending.ts';
import { openSound } from './order/sound.ts';
import { openSeat, type Seat } from './seat/seat.ts';

export type GuestSession = ReturnType<typeof openGuestSession>;

/** The state of this phone: its table, the menu, the basket, an unsent order, and the table's orders. */
export function openGuestSession(client: Client) {
  const { announcement, announce } = createAnnouncer();
  const sound = openSound();
  const seat = openSeat(client);
  const calls = openCalls({ client, seat });
  /** The dishes' options; null until their part of the app is loaded. */
  const options = signal<Options | null>(null);
  const menu = openMenu(client, options);
  const orders = openOrders({ client, seat, menu, announce, ring: sound.ring });
  const basket = openBasket({ menu, seat, orders, options });
  const release = openRelease('');
  const stops = openStops(client);
  /** The table's bills; null until their part of the app is loaded. */
  const bills = signal<Bills | null>(null);
  const sending = openSending({ client, seat, menu, orders, basket, options, announce });
  /** The outcomes of transfers that had no response when their user signed out on this phone. */
  const settledTransfers = signal<readonly SettledTransfer[]>([]);
  return {
    client,
    announcement,
    announce,
    sound,
    seat,
    calls,
    menu,
    orders,
    basket,
    sending,
    release,
    stops,
    bills,
    options,
    /** Opens the options with a function from the part of the app that was loaded. Returns a function that closes them. */
    followOptions: (open: (deps: { client: Client; menu: Menu }) => Options): (() => void) => {
      const opened = open({ client, menu });
      options.value = opened;
      return () => {
        options.value = null;
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
      for (const part of [sending, basket, orders, menu, calls, seat, sound, stops, release]) part.close();
    },
  };
}
