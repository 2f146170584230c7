import type { OutboxStore, Pending } from '@comanda/shared/messaging/outbox';
import { createOutboxStore } from '@comanda/shared/messaging/outbox-store';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { AccountDirectory } from '../accounts/account-directory.ts';
import { toTransfer, type JournalDocument } from './journal-document.ts';
import type { JournalStore } from './journal-store.ts';
import { toStoredEvent, traceOf, transferPostedEvent } from './transfer-event.ts';
import type { VerifyRow } from './verify-row.ts';

type Options = {
  journal: Pick<JournalStore, 'collection' | 'findUnverified' | 'emptyOutboxes'>;
  directory: AccountDirectory;
  verify: VerifyRow;
  clock: Clock;
  logger: Logger;
};

/**
 * Creates the store for the journal's outbox. Stored events are not signed, so an attacker with write access to the database
 * could add events for payments that were never made. Therefore each event is created again from its row after the row is
 * verified. Only the trace comes from the stored event. An event in a row that isn't a posted transfer is removed, and an error
 * is logged. While a row or an account fails verification, its event waits.
 */
export function createTransferOutboxStore({ journal, directory, verify, clock, logger }: Options): OutboxStore {
  const store = createOutboxStore(journal.collection, clock);

  async function eventOf(
    document: JournalDocument | undefined,
    stored: readonly Message[],
  ): Promise<Message | 'waits' | 'foreign'> {
    if (document?.status !== 'posted') return 'foreign';
    const { _id: id } = document;
    try {
      const transfer = verify(toTransfer(document));
      const found = await Promise.all([transfer.fromId, transfer.toId].map(directory.find));
      const traceparent = traceOf(stored[0]?.body ?? '');
      const event = transferPostedEvent(transfer, { parties: found.flatMap((party) => party ?? []), traceparent });
      // Release 1.0.0 stored the event's complete text.
      const own = [toStoredEvent(event).body, event.body];
      if (stored.length !== 1 || !own.includes(stored[0]?.body ?? ''))
        logger.error({ transfer: id }, 'the stored event of a transfer is not its own; its own is published');
      return event;
    } catch (error) {
      logger.error({ err: error, transfer: id }, 'the event of a transfer waits until the transfer can be verified');
      return 'waits';
    }
  }
  return {
    ...store,
    claim: async (what) => {
      const claimed = await store.claim(what);
      const documents = await journal.findUnverified(claimed.map(({ documentId }) => documentId));
      const pending: Pending[] = [];
      const foreign: unknown[] = [];
      for (const { documentId, messages } of claimed) {
        const document = documents.find(({ _id: id }) => id === documentId);
        const event = await eventOf(document, messages);
        if (event === 'foreign') foreign.push(documentId);
        else if (event !== 'waits') pending.push({ documentId, messages: [event] });
      }
      if (foreign.length > 0) {
        logger.error({ rows: foreign }, 'removed events of rows that are no posted transfers');
        await journal.emptyOutboxes(foreign);
      }
      return pending;
    },
    // Empties each row's outbox, because a row has only one event.
    remove: (published) => journal.emptyOutboxes(published.map(({ documentId }) => documentId)),
  };
}
