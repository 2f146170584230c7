import type { Client } from '@comanda/client/core';
import { bills } from '@comanda/client/collections/bills';
import { ordersWith } from '@comanda/client/collections/orders';
import { tables as allTables } from '@comanda/client/collections/tables';
import type { Table } from '@comanda/contracts/tables';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { useCollection } from '@comanda/ui/use-collection.ts';
import { atTables, byTableName } from '../waiter/by-table.ts';
import { AddTable } from './add-table.tsx';
import { Failure } from './failure.tsx';
import type { ManagerSession } from './manager-session.ts';
import { managerMessages } from './messages.ts';
import { isOfThisComputer } from './printing.ts';
import { TableCard } from './table-card.tsx';
import './tables-page.css';

type Props = { client: Client; session: ManagerSession };

/** The page that lists the tables with their QR codes. */
export function TablesPage({ client, session }: Props) {
  const words = managerMessages().tables;
  const { tables, failure, ordered } = useTables(client);
  const [isAdding, setIsAdding] = useState(false);
  /** The tables whose code was created on this page, so it must be printed. */
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());

  const noteFresh = ({ table }: Table): void => setFresh((before) => new Set([...before, table]));
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
            noteFresh(table);
            setIsAdding(false);
          }}
        />
      )}
      <Failure of={failure} />
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
              onReplaced={noteFresh}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

/** The field for the text about the Wi-Fi on printed cards. */
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

const openOrders = ordersWith(['received', 'preparing', 'ready']);

/** Follows the tables, and the open orders and bills. */
function useTables(client: Client) {
  const { rows, isLoaded, failure } = useCollection(client, allTables);
  const orders = useCollection(client, openOrders);
  const allBills = useCollection(client, bills);
  const isKnown = orders.isLoaded.value && allBills.isLoaded.value;
  const openBills = allBills.rows.value.filter(({ status }) => status === 'open');
  return {
    /** The tables in their order; null until they are loaded. */
    tables: rows.value.length > 0 || isLoaded.value ? [...rows.value].sort(byTableName) : null,
    failure: failure.value,
    /** The open orders and bills; null until both are loaded. */
    ordered: isKnown ? { orders: orders.rows.value, bills: openBills } : null,
  };
}
