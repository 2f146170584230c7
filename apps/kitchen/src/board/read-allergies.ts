import { createOutbox, type Client } from '@comanda/client';
import type { Order } from '@comanda/contracts/orders';
import { isListOf, stored } from '@comanda/ui/stored-setting.ts';

type Read = { orderId: number };

type Deps = { client: Pick<Client, 'calls'>; userId: number; onMade: (order: Order) => void };

/** Tells the server that allergies were read, so that all screens know; without a network as soon as there is one. */
export function openReadAllergies({ client, userId, onMade }: Deps) {
  const outbox = createOutbox<Read, Order>({
    storage: stored(`kitchen.reads.${userId}`, isListOf<Read>('orderId'), []),
    keyOf: ({ orderId }) => String(orderId),
    send: ({ orderId }, { signal }) => client.calls.markAllergiesRead({ id: orderId }, { repeat: 'never', signal }),
    onChange: () => undefined,
    onSent: (_read, order) => onMade(order),
    onRefused: () => undefined, // the order is gone
  });
  return {
    tell: (orderId: number): void => outbox.add({ orderId }),
    retry: outbox.tryNow,
    close: outbox.close,
  };
}
