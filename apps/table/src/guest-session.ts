import type { Client } from '@comanda/client';
import { signal } from '@preact/signals';
import type { SettledTransfer } from './account/transfer-state.ts';
import { createAnnouncer } from './announcer.ts';
import { openCalls } from './call/calls.ts';
import { openMenu } from './menu/menu.ts';
import { openBasket } from './order/basket.ts';
import { openOrders } from './order/orders.ts';
import { openSending } from './order/sending.ts';
import { openSound } from './order/sound.ts';
import { openSeat } from './seat/seat.ts';

export type GuestSession = ReturnType<typeof openGuestSession>;

/** What this phone knows of its table: the menu, the basket, an order on its way, and the orders. */
export function openGuestSession(client: Client) {
  const { announcement, announce } = createAnnouncer();
  const sound = openSound();
  const seat = openSeat(client);
  const calls = openCalls({ client, seat });
  const menu = openMenu(client);
  const orders = openOrders({ client, seat, announce, ring: sound.ring });
  const basket = openBasket({ menu, seat, orders });
  const sending = openSending({ client, seat, menu, orders, basket });
  /** What became of transfers that had no answer when somebody signed out on this phone. */
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
    settledTransfers,
    setSettled: (settled: readonly SettledTransfer[]) => {
      settledTransfers.value = settled;
    },
    close: () => {
      for (const part of [sending, basket, orders, menu, calls, seat, sound]) part.close();
    },
  };
}
