import type { Client } from '@comanda/client/core';
import { computed } from '@preact/signals';
import type { Menu } from '../menu/menu.ts';
import { openOptions } from '../menu/options.ts';
import type { Seat } from '../seat/seat.ts';
import type { Basket } from './basket.ts';
import { orderMessages } from './messages.ts';
import { openOrders } from './orders.ts';
import { openSending } from './sending.ts';
import { openSound } from './sound.ts';

export type OrderSession = ReturnType<typeof openOrderSession>;

type Deps = { client: Client; seat: Seat; menu: Menu; basket: Basket; announce: (text: string) => void };

/** What the menu doesn't need at first: the dishes' options, the table's orders with their bell, and an unsent order. */
export function openOrderSession({ client, seat, menu, basket, announce }: Deps) {
  const sound = openSound();
  const options = openOptions({ client, menu });
  const orders = openOrders({ client, seat, menu, announce, ring: sound.ring });
  const sending = openSending({ client, seat, menu, orders, basket, options, announce });
  return {
    sound,
    options,
    orders,
    sending,
    /** How many dishes are ready, for the page's title; empty if none are. */
    ready: computed(() => {
      const { ready } = orders.openCounts.value;
      return ready > 0 ? orderMessages().counts.ready(ready) : '';
    }),
    /** True if the table has orders, or this phone has one that the server has not accepted. */
    hasOrders: computed(
      () => orders.all.value.length > 0 || sending.outgoing.value !== null || sending.ended.value.length > 0,
    ),
    close: () => {
      for (const part of [sending, orders, options, sound]) part.close();
    },
  };
}
