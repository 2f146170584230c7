import { checksumOf } from '@comanda/contracts/checksum';
import type { FeedChecksums } from '@comanda/contracts/feed';
import type { HeartbeatFacts } from '@comanda/shared/messaging/heartbeat';
import type { OutboxStore } from '@comanda/shared/messaging/outbox';
import type { MenuStore } from './menu/menu-store.ts';
import type { OptionGroupStore } from './menu/option-group-store.ts';
import type { OrderStore } from './orders/order-store.ts';
import type { DatabaseEpochStore } from './restaurant/database-epoch-store.ts';

type Deps = {
  outboxStores: readonly Pick<OutboxStore, 'oldestMs'>[];
  orders: Pick<OrderStore, 'findOpenVersions'>;
  menu: Pick<MenuStore, 'findVersions'>;
  optionGroups: Pick<OptionGroupStore, 'findVersions'>;
  databaseEpoch: Pick<DatabaseEpochStore, 'get'>;
};

/**
 * Collects the facts for orders' heartbeats from the database each time. No instance could count them alone, because several
 * instances write orders. A stored count would slow down every write.
 */
export async function findHeartbeatFacts({
  outboxStores,
  orders,
  menu,
  optionGroups,
  databaseEpoch: epoch,
}: Deps): Promise<HeartbeatFacts> {
  const [agesMs, databaseEpoch, open, dishes, groups] = await Promise.all([
    Promise.all(outboxStores.map(async ({ oldestMs }) => (await oldestMs()) ?? 0)),
    epoch.get(),
    orders.findOpenVersions(),
    menu.findVersions(),
    optionGroups.findVersions(),
  ]);
  const checksums: FeedChecksums = {
    menu: checksumOf(dishes),
    option_groups: checksumOf(groups),
    ...(open && { open_orders: checksumOf(open) }),
  };
  return { oldestWaitingMs: Math.max(...agesMs), databaseEpoch, checksums };
}
