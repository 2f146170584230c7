import type { LiveOrder } from '@comanda/client/core';
import { useState } from 'preact/hooks';
import { LineSheet } from './line-sheet.tsx';
import { MoveSheet } from './move-sheet.tsx';
import { TableOrder } from './table-order.tsx';
import type { WaiterSession } from './waiter-session.ts';

/** What the waiter has opened: an order, to move it, or one of its dishes. Null if nothing is open. */
type Opened = { orderId: number; itemId: number | null } | null;

/** Lists a table's orders. Each order can be moved to another table, and something can be done with each of its dishes. */
export function TableOrders({ session, orders }: { session: WaiterSession; orders: readonly LiveOrder[] }) {
  const [opened, setOpened] = useState<Opened>(null);
  const close = (): void => setOpened(null);
  const order = orders.find(({ id }) => id === opened?.orderId);
  const item = order?.items.find(({ id, status }) => id === opened?.itemId && status !== 'cancelled');
  if (orders.length === 0) return null;
  return (
    <div class="waiter-orders">
      {orders.map((each) => (
        <TableOrder
          key={each.id}
          order={each}
          onMove={() => setOpened({ orderId: each.id, itemId: null })}
          onOpen={({ id }) => setOpened({ orderId: each.id, itemId: id })}
        />
      ))}
      <LineSheet session={session} line={order && item && { order, item }} onClose={close} />
      <MoveSheet session={session} order={opened?.itemId === null ? order : undefined} onClose={close} />
    </div>
  );
}
