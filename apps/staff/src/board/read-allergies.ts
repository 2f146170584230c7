import type { Client } from '@comanda/client/core';
import type { UnsentList } from '@comanda/ui/unsent.ts';

/** An order whose allergies were read at these stations; without `stations`, at all of them. */
type Read = { orderId: number; stations?: readonly string[] };

type Deps = { client: Pick<Client, 'calls'>; unsent: UnsentList };

/** Reports to the server that allergies were read, so that all screens know. Without a network, this is stored and sent later. */
export function openReadAllergies({ client, unsent }: Deps) {
  const sender = unsent.open<Read, { kind: 'made' }>('read', {
    send: async ({ input: { orderId, stations } }, { signal }) => {
      const body = { id: orderId, ...(stations && { stations: [...stations] }) };
      await client.calls.markAllergiesRead(body, { repeat: 'never', signal });
      return { kind: 'made' };
    },
    onResult: ({ key }, { kind }) => {
      if (kind === 'refused') sender.remove(key); // the order no longer exists, or was already ended
    },
  });
  return {
    /** Reports the allergies as read at these stations; at all of them if undefined. An empty list reports nothing. */
    tell: (orderId: number, stations: readonly string[] | undefined): void => {
      if (stations?.length === 0) return;
      sender.add(JSON.stringify([orderId, stations]), { orderId, ...(stations && { stations }) });
    },
    retry: sender.tryNow,
    close: sender.close,
  };
}
