import { problem } from '@comanda/contracts/problem';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { OrderArchiveStore } from './order-archive-store.ts';
import type { OrderStore } from './order-store.ts';
import type { Order } from './order.ts';

export type FindReplayDeps = {
  orders: Pick<OrderStore, 'findByRequestKeys'>;
  archive: Pick<OrderArchiveStore, 'find'>;
};

/**
 * Returns the order that an earlier request with this key placed or moved, if the order `id`, from which it started, was archived
 * since. @throws 404 `not_found` if there was no such request; 422 `idempotency_key_reused`
 */
export async function findReplay(
  { orders, archive }: FindReplayDeps,
  { id, request }: { id: number; request: IdempotentRequest | null },
): Promise<Order> {
  if (!request) throw problem('not_found');
  const archived = (await archive.find(id))?.order;
  const moved = archived?.moveRequests.map((each) => ({ request: each, order: archived })) ?? [];
  const written = [...moved, ...(await orders.findByRequestKeys([request.key]))];
  const earlier = written.find((each) => each.request.key === request.key);
  if (!earlier) throw problem('not_found');
  if (earlier.request.fingerprint !== request.fingerprint) throw problem('idempotency_key_reused');
  return earlier.order;
}
