import { createOutbox, type Client } from '@comanda/client';
import type { Order } from '@comanda/contracts/order';
import { isListOf, stored } from '@comanda/ui/stored-setting.ts';

/** Without `stations`: at all of the order. */
type Read = { orderId: number; stations?: readonly string[] };

type Deps = { client: Pick<Client, 'calls'>; userId: number; onMade: (order: Order) => void };

/** Tells the server that allergies were read, so that all screens know; without a network as soon as there is one. */
export function openReadAllergies({ client, userId, onMade }: Deps) {
  const outbox = createOutbox<Read, Order>({
    storage: stored(`kitchen.reads.${userId}`, isListOf<Read>('orderId'), []),
    keyOf: ({ orderId, stations }) => JSON.stringify([orderId, stations]),
    send: ({ orderId, stations }, { signal }) =>
      client.calls.markAllergiesRead(
        { id: orderId, ...(stations && { stations: [...stations] }) },
        { repeat: 'never', signal },
      ),
    onChange: () => undefined,
    onSent: (_read, order) => onMade(order),
    onRefused: () => undefined, // the order is gone
  });
  return {
    /** Nothing is told for no stations. */
    tell: (orderId: number, stations: readonly string[] | undefined): void => {
      if (stations?.length !== 0) outbox.add({ orderId, ...(stations && { stations }) });
    },
    retry: outbox.tryNow,
    close: outbox.close,
  };
}
