import { problem } from '@comanda/contracts/problems';
import { receiptKeys } from '@comanda/contracts/transfers';
import type { Api } from '@comanda/shared/http/api';
import type { Signer } from './statement.ts';
import type { SigningKeys, SigningKeyStore } from './signing-key-store.ts';

const notYet = () => problem('service_unavailable', { detail: 'The keys were not read yet.' }, { 'Retry-After': '1' });

/** This instance's view of the signing keys: read once, before the service is ready. */
export function createSigningKeys(store: SigningKeyStore, clock: () => number) {
  let keys: SigningKeys | null = null;
  const read = (): SigningKeys => {
    if (!keys) throw notYet();
    return keys;
  };
  return {
    prepare: async (): Promise<void> => {
      keys = await store.load(new Date(clock()));
    },
    signer: (): Signer => read().signer,
    serve: ({ handle }: Api): void => handle(receiptKeys, () => ({ status: 200, body: { keys: read().publicKeys } })),
  };
}
