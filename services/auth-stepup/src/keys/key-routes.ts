import { getJwks } from '@comanda/shared/contracts/people';
import type { Api } from '@comanda/shared/http/api';
import type { KeyKeeper } from './key-keeper.ts';

export function keyRoutes({ handle }: Api, keys: KeyKeeper): void {
  handle(getJwks, () => ({
    status: 200,
    body: keys.keySet(),
    headers: { 'Cache-Control': 'public, max-age=300' },
  }));
}
