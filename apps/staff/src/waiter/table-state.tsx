import type { Table } from '@comanda/contracts/tables';
import { wishOf } from '../calls/messages.ts';
import { seatingMessages } from './seating-messages.ts';
import './table-state.css';
import { callsOf, joinedWith, paidAtOf } from './table-filter.ts';
import type { WaiterSession } from './waiter-session.ts';

const minuteMs = 60_000;

/**
 * Shows a table's state apart from its orders: how long its guests have been seated, when they paid, what they want, and which
 * tables are joined with it.
 */
export function TableState({ session, table }: { session: WaiterSession; table: Table }) {
  const words = seatingMessages();
  const minutesSince = (at: string): number => Math.max(0, Math.floor((session.now.value - Date.parse(at)) / minuteMs));
  const paidAt = paidAtOf(session, table);
  const joined = joinedWith(session, table);
  const states = [
    table.status === 'to_clean' && words.toClean,
    table.seated_at != null && words.seatedFor(minutesSince(table.seated_at)),
    joined.length > 0 && words.joinedWith(joined),
    paidAt !== null && words.paidFor(minutesSince(paidAt)),
  ].filter((each) => each !== false);
  const calls = callsOf(session, table);
  if (states.length + calls.length === 0) return null;
  return (
    <span class="wrap table-state">
      {calls.map((call) => (
        <mark key={call.id}>{wishOf(call)}</mark>
      ))}
      {states.map((each) => (
        <span key={each}>{each}</span>
      ))}
    </span>
  );
}
