import { waiterMessages } from './messages.ts';
import type { WaiterSession } from './waiter-session.ts';

/** Who is signed in, and at how many tables guests sit for whom this waiter has taken an order. */
export function MyTables({ session }: { session: WaiterSession }) {
  const { client, bills, tables, userId } = session;
  const isKnown = bills.areKnown.value && tables.loadedAtMs.value > 0;
  const seatings = tables.tables.value
    .filter((table) => table.seating !== null && bills.of(table).orders.some(({ placed_by: by }) => by.id === userId))
    .map(({ seating }) => seating);
  return (
    <p class="waiter-me">
      <strong>{client.who()?.name}</strong>{' '}
      <span>{waiterMessages().myTables(isKnown ? new Set(seatings).size : null)}</span>
    </p>
  );
}
