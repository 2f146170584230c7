import { receiptKeys } from '@comanda/contracts/internal';
import type { Api } from '@comanda/shared/http/api';
import type { LoadedSigningKeys } from '@comanda/shared/crypto/signing-keys';

export type ReceiptRouteDeps = { signingKeys: Pick<LoadedSigningKeys, 'publicKeys'> };

export function registerReceiptRoutes({ handle }: Api, { signingKeys }: ReceiptRouteDeps): void {
  handle(receiptKeys, () => ({ status: 200, body: { keys: signingKeys.publicKeys() } }));
}
