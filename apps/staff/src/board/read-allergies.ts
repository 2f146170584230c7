import type { Client } from '@comanda/client/core';
import type { UnsentList } from '@comanda/ui/unsent.ts';

/** Without `stations`: at all of the order. */
type Read = { orderId: number; stations?: readonly string[] };

type Deps = { client: Pick<Client, 'calls'>; unsent: UnsentList };

/** Tells the server that allergies were read, so that all screens know; without a network as soon as there is one. */
export function openReadAllergies({ client, unsent }: Deps) {
  const sender = unsent.open<Read, { kind: 'made' }>('read', {
    send: async ({ input: { orderId, stations } }, { signal }) => {
      const body = { id: orderId, ...(stations && { stations: [...stations] }) };
      await client.calls.markAllergiesRead(body, { repeat: 'never', signal });
      return { kind: 'made' };
    },
    onResult: ({ key }, { kind }) => {
      if (kind === 'refused') sender.remove(key); // the order is gone
    },
  });
  return {
    /** Nothing is told for no stations. */
    tell: (orderId: number, stations: readonly string[] | undefined): void => {
      if (stations?.length === 0) return;
      sender.add(JSON.stringify([orderId, stations]), { orderId, ...(stations && { stations }) });
    },
    retry: sender.tryNow,
    close: sender.close,
  };
}
