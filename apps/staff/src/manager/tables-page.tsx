import { CallFailure, type Client, type LiveOrder } from '@comanda/client';
import type { Bill } from '@comanda/contracts/bills';
import type { Table } from '@comanda/contracts/tables';
import type { ReadonlySignal } from '@preact/signals';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { billsForMs } from '../waiter/bills.ts';
import { atTables } from '../waiter/by-table.ts';
import { AddTable } from './add-table.tsx';
import { Failure } from './failure.tsx';
import type { ManagerSession } from './manager-session.ts';
import { managerMessages } from './messages.ts';
import { isOfThisComputer } from './printing.ts';
import { TableCard, type Ordered } from './table-card.tsx';
import { createTableList } from './table-list.ts';
import './tables-page.css';

type Props = { client: Client; session: ManagerSession };
const readEveryMs = 20_000;

/** The tables with their codes. */
export function TablesPage({ client, session }: Props) {
  const words = managerMessages().tables;
  const { list, ordered } = useTables(client, session.now);
  const tables = list.tables.value;
  const [isAdding, setIsAdding] = useState(false);
  /** Tables whose code was made on this page: they must be printed. */
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());

  const put = (table: Table): void => {
    list.put(table);
    setFresh((before) => new Set([...before, table.table]));
  };
  const known = tables ?? [];
  const shown = ordered && { ...ordered, orders: atTables(known, ordered.orders) };
  return (
    <>
      <div class="manager-head">
        <h1>{managerMessages().nav.tables}</h1>
        <p>{tables && words.summary(known.length, known.filter(({ seating }) => seating !== null).length)}</p>
        {known.length > 0 && (
          <Button size="small" onClick={() => session.printing.print(known)}>
            {words.printAll(known.length)}
          </Button>
        )}
        <Button kind="primary" size="small" aria-expanded={isAdding} onClick={() => setIsAdding(!isAdding)}>
          {words.add}
        </Button>
      </div>
      {known.some(({ url }) => isOfThisComputer(url)) && (
        <p class="manager-warning" role="status">
          {words.ownComputer}
        </p>
      )}
      {known.length > 0 && <Wifi session={session} />}
      {isAdding && tables && (
        <AddTable
          client={client}
          known={known}
          onAdded={(table) => {
            put(table);
            setIsAdding(false);
          }}
        />
      )}
      <Failure of={list.failure.value} />
      {tables?.length === 0 && <p>{words.none}</p>}
      <ul class="table-cards">
        {known.map((table) => (
          <li key={table.table}>
            <TableCard
              client={client}
              table={table}
              ordered={shown}
              isFresh={fresh.has(table.table)}
              onPrint={() => session.printing.print([table])}
              onReplaced={put}
              onRemoved={() => list.remove(table)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

/** What the printed cards say of the Wi-Fi. */
function Wifi({ session }: { session: ManagerSession }) {
  const words = managerMessages().tables;
  const { wifi, setWifi } = session.printing;
  return (
    <div class="tables-wifi">
      <Field
        label={words.wifiLabel}
        hint={words.wifiHint}
        autocomplete="off"
        maxLength={60}
        value={wifi.value}
        onInput={setWifi}
      />
    </div>
  );
}

/** The tables, and what is ordered and left to pay there, read again and again. */
function useTables(client: Client, now: ReadonlySignal<number>) {
  const [list] = useState(() => createTableList(client));
  const [ordered, setOrdered] = useState<Ordered | null>(null);
  const read = useCallback(async (): Promise<void> => {
    await list.read();
    try {
      const [orders, bills]: [LiveOrder[], Bill[]] = [[], []];
      const from = new Date(now.peek() - billsForMs).toISOString();
      for await (const page of client.pages('listOrders', { from, limit: 200 })) orders.push(...page);
      // After the orders: a bill that is not among them is closed or merged then, and not one that has just begun.
      for await (const page of client.pages('listBills', { status: 'open', limit: 200 })) bills.push(...page);
      setOrdered({ orders, bills });
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error; // the cards stand without their bills
    }
  }, [client, list, now]);
  useEffect(() => {
    void read();
    const timer = setInterval(() => void read(), readEveryMs);
    return () => clearInterval(timer);
  }, [read]);
  return { list, ordered };
}
