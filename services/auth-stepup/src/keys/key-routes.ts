import { getJwks } from '@comanda/contracts/keys';
import type { LoadedSigningKeys } from '@comanda/shared/crypto/signing-keys';
import type { Api } from '@comanda/shared/http/api';
import type { KeyKeeper } from './key-keeper.ts';
import type { ReceiptKeys } from './receipt-keys.ts';

export type KeyRouteDeps = {
  keys: KeyKeeper;
  consentKeys: Pick<LoadedSigningKeys, 'publicKeys'>;
  receiptKeys: ReceiptKeys;
};

/** Registers the endpoint with all of the system's public keys: for tokens, authorizations and receipts. */
export function registerKeyRoutes({ handle }: Api, { keys, consentKeys, receiptKeys }: KeyRouteDeps): void {
  handle(getJwks, () => {
    const ownKeys = [...keys.keySet().keys, ...consentKeys.publicKeys()];
    return {
      status: 200,
      body: { keys: [...ownKeys, ...receiptKeys.excluding(ownKeys)] },
      headers: { 'Cache-Control': 'public, max-age=300' },
    };
  });
}
