import { getJwks } from '@comanda/contracts/users';
import type { Api } from '@comanda/shared/http/api';
import type { KeyKeeper } from './key-keeper.ts';
import type { ReceiptKeys } from './receipt-keys.ts';

/** All public keys of the house: those of tokens, and those of receipts. */
export function keyRoutes({ handle }: Api, { keys, receiptKeys }: { keys: KeyKeeper; receiptKeys: ReceiptKeys }): void {
  handle(getJwks, () => {
    const own = keys.keySet().keys;
    return {
      status: 200,
      body: { keys: [...own, ...receiptKeys.besides(own)] },
      headers: { 'Cache-Control': 'public, max-age=300' },
    };
  });
}
