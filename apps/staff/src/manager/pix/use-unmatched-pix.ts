import { CallFailure, type Client } from '@comanda/client/core';
import { useTakesPix } from '@comanda/ui/bill/use-takes-pix.ts';
import { useEffect, useState } from 'preact/hooks';

/** The most that are counted. */
const limit = 50;

/**
 * Returns how many Pix pay no bill, for example `3` or `50+`; empty if there are none. Null if the restaurant takes no Pix and has
 * received none: money may still come after Pix was turned off.
 */
export function useUnmatchedPix(client: Pick<Client, 'calls' | 'feed'>): string | null {
  const takesPix = useTakesPix(client);
  const [found, setFound] = useState({ unmatched: 0, hasAny: false });
  useEffect(() => {
    let isLeft = false;
    async function load(): Promise<void> {
      const list = client.calls.listPixReceipts;
      try {
        const { length: unmatched } = await list({ state: 'unmatched', limit: limit + 1 });
        const hasAny = unmatched > 0 || (!takesPix && (await list({ limit: 1 })).length > 0);
        if (!isLeft) setFound({ unmatched, hasAny });
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
  const { unmatched, hasAny } = found;
  if (!takesPix && !hasAny) return null;
  if (unmatched > limit) return `${limit}+`;
  return unmatched === 0 ? '' : String(unmatched);
}
