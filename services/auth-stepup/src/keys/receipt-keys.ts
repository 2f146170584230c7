import { getJson } from '@comanda/shared/http/get-json';
import type { Logger } from '@comanda/shared/runtime/logger';

export type ReceiptKeys = {
  /** Those that were last heard of; never one whose id is among `own`. */
  besides: (own: readonly { kid: string }[]) => object[];
  close: () => void;
};

const everyMs = 60_000;
const untilFoundMs = 2000;
const fetchWithinMs = 1500;

/**
 * The keys of transfers' receipts, for the key set of the house. They are marked `purpose: receipts`: what they sign is
 * no access token, whoever holds them. The last ones serve while transfers is away.
 */
export function createReceiptKeys({ transfersUrl, logger }: { transfersUrl: string; logger: Logger }): ReceiptKeys {
  const stop = new AbortController();
  let keys: Record<string, unknown>[] = [];
  let timer: NodeJS.Timeout | undefined;

  async function fetchKeys(): Promise<void> {
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(fetchWithinMs)]);
    const set = (await getJson(`${transfersUrl}/internal/receipt-keys`, signal)) as { keys: Record<string, unknown>[] };
    keys = set.keys.map(({ kty, crv, x, y, kid }) => ({
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
  function fetchAgain(): void {
    fetchKeys()
      .catch((error: unknown) => logger.debug({ err: error }, 'the keys of receipts could not be read'))
      .finally(() => {
        if (!stop.signal.aborted) timer = setTimeout(fetchAgain, keys.length > 0 ? everyMs : untilFoundMs);
      });
  }
  fetchAgain();
  return {
    besides: (own) => keys.filter((key) => !own.some(({ kid }) => kid === key['kid'])),
    close: () => {
      stop.abort();
      clearTimeout(timer);
    },
  };
}
