import { CallFailure, type Client } from '@comanda/client/core';
import { useTakesPix } from '@comanda/ui/bill/use-takes-pix.ts';
import { useEffect, useState } from 'preact/hooks';

/** The most that are counted. */
const limit = 50;

/** Returns how many Pix pay no bill, at most 50; null if the restaurant takes no Pix. */
export function useUnmatchedPix(client: Pick<Client, 'calls' | 'feed'>): number | null {
  const takesPix = useTakesPix(client);
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (!takesPix) return undefined;
    let isLeft = false;
    async function load(): Promise<void> {
      try {
        const found = await client.calls.listPixReceipts({ state: 'unmatched', limit });
        if (!isLeft) setCount(found.length);
      } catch (error) {
        // The page itself says why it can't be loaded.
        if (!(error instanceof CallFailure)) throw error;
      }
    }
    void load();
    const feed = client.feed({
      onEvent: ({ type }) => {
        if (type === 'pix.receipt_changed') void load();
      },
    });
    return () => {
      isLeft = true;
      feed.close();
    };
  }, [client, takesPix]);
  return takesPix ? count : null;
}
