import type { EventData } from '@comanda/contracts/event-data';
import { messagesOf } from '@comanda/shared/messaging/new-message';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { WrittenEvents } from '@comanda/shared/service/unit-of-work';
import type { Clock } from '@comanda/shared/runtime/clock';
import { toTableState, type Table } from './table.ts';
import type { TableStore } from './table-store.ts';

type TableChange = { before: Table; after: Table; reason: EventData<'table.changed'>['reason'] };
export type WriteTablesDeps = { tables: Pick<TableStore, 'update'>; clock: Clock };
type TablesToWrite = { changes: readonly TableChange[]; traceparent: string };

const newMessage = messagesOf('/auth-stepup');

/** Stores each changed table with its event. Returns the events, to be published after the commit. */
export async function writeTables(
  { tables, clock }: WriteTablesDeps,
  { changes, traceparent }: TablesToWrite,
  session: Session,
): Promise<WrittenEvents<'tables'>[]> {
  const at = new Date(clock());
  const events: WrittenEvents<'tables'>[] = [];
  for (const { before, after, reason } of changes) {
    // The event contains neither the token nor the URL.
    const message = newMessage('table.changed', {
      subject: after.name,
      at,
      traceparent,
      data: {
        table: toTableState(after),
        reason,
        previous_seating: before.seating === after.seating ? null : before.seating,
      },
    });
    const messages = await tables.update(after, { message, session });
    events.push({ outbox: 'tables', documentId: after.name, messages });
  }
  return events;
}
