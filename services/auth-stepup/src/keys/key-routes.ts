import { getJwks } from '@comanda/contracts/users';
import type { Api } from '@comanda/shared/http/api';
import type { KeyKeeper } from './key-keeper.ts';
import type { ReceiptKeys } from './receipt-keys.ts';

export type KeyRouteDeps = { keys: KeyKeeper; receiptKeys: ReceiptKeys };

/** All public keys of the system: those of tokens and those of receipts. */
export function registerKeyRoutes({ handle }: Api, { keys, receiptKeys }: KeyRouteDeps): void {
  handle(getJwks, () => {
    const tokenKeys = keys.keySet().keys;
    return {
      status: 200,
      body: { keys: [...tokenKeys, ...receiptKeys.excluding(tokenKeys)] },
      headers: { 'Cache-Control': 'public, max-age=300' },
    };
  });
}
