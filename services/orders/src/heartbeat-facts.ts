import { checksumOf } from '@comanda/contracts/checksum';
import type { FeedChecksums } from '@comanda/contracts/feed';
import type { HeartbeatFacts } from '@comanda/shared/messaging/heartbeat';
import type { OutboxStore } from '@comanda/shared/messaging/outbox';
import type { MenuStore } from './menu/menu-store.ts';
import type { OrderStore } from './orders/order-store.ts';
import type { RestaurantStore } from './restaurant/restaurant-store.ts';

type Deps = {
  outboxStores: readonly Pick<OutboxStore, 'oldestMs'>[];
  orders: Pick<OrderStore, 'findOpenVersions'>;
  menu: Pick<MenuStore, 'findVersions'>;
  restaurant: Pick<RestaurantStore, 'getDatabaseEpoch'>;
};

/**
 * Collects the facts for orders' heartbeats, fresh from the database each time. Several instances write orders, so no instance
 * could keep count alone, and a stored count would slow down every write.
 */
export async function findHeartbeatFacts({ outboxStores, orders, menu, restaurant }: Deps): Promise<HeartbeatFacts> {
  const [agesMs, databaseEpoch, open, dishes] = await Promise.all([
    Promise.all(outboxStores.map(async ({ oldestMs }) => (await oldestMs()) ?? 0)),
    restaurant.getDatabaseEpoch(),
    orders.findOpenVersions(),
    menu.findVersions(),
  ]);
  const checksums: FeedChecksums = { menu: checksumOf(dishes), ...(open && { open_orders: checksumOf(open) }) };
  return { oldestWaitingMs: Math.max(...agesMs), databaseEpoch, checksums };
}
