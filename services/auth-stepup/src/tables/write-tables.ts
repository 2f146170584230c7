import type { EventData } from '@comanda/contracts/event-data';
import { messagesOf } from '@comanda/shared/messaging/new-message';
import type { Outbox, Pending } from '@comanda/shared/messaging/outbox';
import type { Message } from '@comanda/shared/messaging/publisher';
import { retryOnConflict } from '@comanda/shared/mongo/retry-on-conflict';
import { isTransient, type Session, type Transactions } from '@comanda/shared/mongo/transactions';
import type { Clock } from '@comanda/shared/runtime/clock';
import { toTableState, type Table } from './table.ts';
import type { TableStore } from './table-store.ts';

export type TableChange = { before: Table; after: Table; reason: EventData<'table.changed'>['reason'] };
type Written<T> = { value: T; changes: readonly TableChange[] };
/**
 * Runs `write`, stores each changed table with its event in one transaction, and publishes the events. While other transactions
 * come first, `write` may run several times.
 * @throws 503 `service_unavailable` if that takes too long; any error from `write`
 */
export type WriteTables = <T>(
  request: { traceparent: string },
  write: (session: Session) => Promise<Written<T>>,
) => Promise<T>;

type Options = {
  transactions: Pick<Transactions, 'run'>;
  tables: Pick<TableStore, 'update'>;
  outbox: Pick<Outbox, 'publishNow'>;
  clock: Clock;
};

const timeoutMs = 1500;
const newMessage = messagesOf('/auth-stepup');

export const createTableWriter =
  ({ transactions, tables, outbox, clock }: Options): WriteTables =>
  async ({ traceparent }, write) => {
    const deadline = performance.now() + timeoutMs;
    const { value, pending } = await retryOnConflict({ deadline, isRetryable: isTransient }, () =>
      transactions.run({ deadline }, async (session) => {
        const written = await write(session);
        const stored: Pending[] = [];
        const now = new Date(clock());
        for (const change of written.changes) {
          const message = tableChanged(change, { now, traceparent });
          stored.push({
            documentId: change.after.name,
            messages: await tables.update(change.after, { message, session }),
          });
        }
        if (stored.length === 0) await session.abortTransaction();
        return { value: written.value, pending: stored };
      }),
    );
    for (const { documentId, messages } of pending) outbox.publishNow(documentId, messages);
    return value;
  };

/** Creates the event for a change, to be stored in the same write. The event contains neither the token nor the URL. */
export const tableChanged = (
  { before, after, reason }: TableChange,
  { now, traceparent }: { now: Date; traceparent: string },
): Message =>
  newMessage('table.changed', {
    subject: after.name,
    at: now,
    traceparent,
    data: {
      table: toTableState(after),
      reason,
      previous_seating: before.seating === after.seating ? null : before.seating,
    },
  });
