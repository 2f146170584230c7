import type { Client, LiveOrder } from '@comanda/client';
import type { Table } from '@comanda/contracts/tables';
import { createRetry } from '@comanda/ui/retry.ts';
import { batch, computed, signal } from '@preact/signals';
import { byTableName, tableNamed } from './by-table.ts';

const readEveryMs = 15_000;
const readSoonMs = 1_000;

/** The tables and their seatings, kept by events, and read again and again: no event tells of a table that is new or removed. */
export function followTables({ calls, feed: openFeed, now }: Pick<Client, 'calls' | 'feed' | 'now'>) {
  const tables = signal<readonly Table[]>([]);
  /** When they were read, by the server's clock; 0 until then. */
  const readAtMs = signal(0);
  const retry = createRetry(() => void read());
  let soon: ReturnType<typeof setTimeout> | undefined;

  async function read(): Promise<void> {
    const askedAtMs = now();
    try {
      const found = await calls.listTables();
      batch(() => {
        tables.value = found.map(newest);
        readAtMs.value = askedAtMs;
        retry.succeed();
      });
    } catch (error) {
      retry.fail(error);
    }
  }
  /** The answer may be older than an event that came meanwhile. */
  function newest(found: Table): Table {
    const known = tables.peek().find(({ table }) => table === found.table);
    return known && known.rotated_at === found.rotated_at && known.version > found.version ? known : found;
  }
  function put(answered: Table): Table {
    const changed = newest(answered);
    tables.value = [...tables.peek().filter(({ table }) => table !== changed.table), changed];
    return changed;
  }
  /** Whether the order is of a seating that began after the table was read. */
  const isOfLaterSeating = ({ table, seating }: LiveOrder): boolean => {
    const known = tableNamed(tables.peek(), table);
    return seating !== null && known !== undefined && (known.seating ?? 0) < seating;
  };
  const feed = openFeed({
    onEvent: ({ type, data }) => {
      if (type !== 'table.changed') return;
      const known = tables.peek().find(({ table }) => table === data.table.table);
      if (known && known.version < data.table.version) put({ ...known, ...data.table });
    },
  });
  const timer = setInterval(() => void read(), readEveryMs);
  void read();
  return {
    tables: computed(() => [...tables.value].sort(byTableName)),
    readAtMs,
    /** Why they are not known; null once they were read. */
    failure: computed(() => (readAtMs.value === 0 ? retry.failure.value : null)),
    read,
    put,
    /** Reads the tables again if these orders show that somebody has opened one. */
    takeOrders: (orders: readonly LiveOrder[]): void => {
      if (orders.some(isOfLaterSeating))
        soon ??= setTimeout(() => void read().finally(() => (soon = undefined)), readSoonMs);
    },
    /** Begins a seating. @throws CallFailure */
    open: async ({ table }: Table): Promise<Table> => put(await calls.openTable({ table })),
    /** Ends the seating. @throws CallFailure */
    end: async (table: Table): Promise<void> => {
      await calls.closeTable({ table: table.table });
      put({ ...table, status: 'free', seating: null, seated_at: null });
    },
    close: (): void => {
      feed.close();
      clearInterval(timer);
      clearTimeout(soon);
      retry.close();
    },
  };
}
