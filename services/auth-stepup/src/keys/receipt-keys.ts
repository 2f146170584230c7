import { receiptKeys as receiptKeysEndpoint } from '@comanda/contracts/internal';
import type { ServiceClient } from '@comanda/shared/http/service-client';
import { every } from '@comanda/shared/runtime/every';
import type { Logger } from '@comanda/shared/runtime/logger';

export type ReceiptKeys = {
  /** Returns the keys from the last successful fetch, without those whose `kid` also occurs in `others`. */
  excluding: (others: readonly { kid: string }[]) => object[];
  close: () => Promise<void>;
};

const refreshMs = 60_000;
/**
 * The pause between attempts until the first fetch succeeds, in milliseconds. It doubles from `first` to `last`, because the
 * transfers service may still be starting.
 */
const firstReadRetryMs = { first: 100, last: 2000 };

type Options = { transfers: Pick<ServiceClient, 'call'>; logger: Logger };

/**
 * Fetches the public keys that verify receipts from the transfers service, and refreshes them regularly. They are published in
 * the common key set, marked `purpose: receipts`, so that access tokens signed with them are rejected. While transfers is down,
 * the last fetched keys are used.
 */
export function createReceiptKeys({ transfers, logger }: Options): ReceiptKeys {
  let keys: Record<string, unknown>[] = [];
  let retryMs = firstReadRetryMs.first;

  async function readKeys(): Promise<void> {
    const set = await transfers.call(receiptKeysEndpoint, {}, null);
    keys = (set.keys as Record<string, unknown>[]).map(({ kty, crv, x, y, kid }) => ({
      kty,
      crv,
      x,
      y,
      kid,
      use: 'sig',
      alg: 'ES256',
      purpose: 'receipts',
    }));
  }
  function nextPauseMs(): number {
    if (keys.length > 0) return refreshMs;
    const pauseMs = retryMs;
    retryMs = Math.min(retryMs * 2, firstReadRetryMs.last);
    return pauseMs;
  }
  const reading = every({
    run: readKeys,
    everyMs: nextPauseMs,
    logger,
    failure: 'could not read the keys of receipts',
  });
  return {
    excluding: (others) => keys.filter((key) => !others.some(({ kid }) => kid === key['kid'])),
    close: reading.close,
  };
}
