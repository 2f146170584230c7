import type { Client } from '@comanda/client/core';
import { bills } from '@comanda/client/collections/bills';
import { ordersWith } from '@comanda/client/collections/orders';
import { tables as allTables } from '@comanda/client/collections/tables';
import type { Table } from '@comanda/contracts/tables';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { copyText } from '@comanda/ui/copy-text.ts';
import { Switch } from '@comanda/ui/switch.tsx';
import { useCollection } from '@comanda/ui/use-collection.ts';
import { uiMessages } from '@comanda/ui/messages.ts';
import { atTables, byTableName } from '../../waiter/by-table.ts';
import { AddTables, type AddedTables } from './add-tables.tsx';
import { Failure } from '../failure.tsx';
import { LoadingRows } from '../../loading/loading-rows.tsx';
import type { ManagerSession } from '../manager-session.ts';
import { managerMessages } from '../messages.ts';
import { isOfThisComputer } from './printing.ts';
import { textOfWifi } from '../settings/theirs.tsx';
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

  const [last, setLast] = useState<AddedTables | null>(null);
  const noteFresh = (made: readonly Table[]): void =>
    setFresh((before) => new Set([...before, ...made.map(({ table }) => table)]));
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
      {known.some(({ url }) => isOfThisComputer(url)) && <OwnComputer />}
      {known.length > 0 && <Wifi session={session} />}
      {isAdding && tables && (
        <AddTables
          client={client}
          known={known}
          onAdded={(made) => {
            noteFresh(made.added);
            setLast(made);
            setIsAdding(false);
          }}
        />
      )}
      {last && !isAdding && <Added tables={last} onPrint={() => session.printing.print(last.added)} />}
      <Failure of={failure} />
      {tables === null && failure === null && <LoadingRows />}
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
              onReplaced={(made) => noteFresh([made])}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Says that the codes only work on this computer, with a text to send to the person who can change that. */
function OwnComputer() {
  const words = managerMessages().tables;
  const text = useRef<HTMLSpanElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  return (
    <div class="manager-ask" role="status">
      <p class="manager-warning">{words.ownComputer}</p>
      <p>
        {words.sendThem} <span ref={text}>{words.ownComputerAsk}</span>
      </p>
      <Button size="small" onClick={() => void copyText(words.ownComputerAsk, text.current).then(setIsCopied)}>
        {isCopied ? words.copied : uiMessages().copy}
      </Button>
    </div>
  );
}

/** Says which tables were added just now, and which existed. */
function Added({ tables: { added, existing }, onPrint }: { tables: AddedTables; onPrint: () => void }) {
  const words = managerMessages().tables;
  return (
    <div class="row wrap tables-added">
      <p class="manager-notice" role="status">
        {words.added(added.length)} {existing.length > 0 && words.existed(existing.map(({ table }) => table))}
      </p>
      {added.length > 1 && (
        <Button size="small" onClick={onPrint}>
          {words.printAdded(added.length)}
        </Button>
      )}
    </div>
  );
}

/** Selects whether the printed cards have the guests' Wi-Fi, which is set on the page "Restaurant". */
function Wifi({ session: { printing } }: { session: ManagerSession }) {
  const words = managerMessages().tables;
  useEffect(() => void printing.loadWifi(), [printing]);
  const wifi = printing.wifi.value;
  if (wifi === undefined) return <Failure of={printing.failure.value} onRetry={() => void printing.loadWifi()} />;
  return (
    <div class="row wrap tables-wifi">
      {wifi && (
        <>
          <Switch label={words.printWifi} isOn={printing.hasWifi.value} onChange={printing.setHasWifi} />
          <span aria-hidden="true">{words.printWifi}</span>
          <span class="dim">{textOfWifi(wifi)}</span>
        </>
      )}
      <a href="#/manager/restaurant">{wifi ? words.changeWifi : words.setWifi}</a>
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
