import type { Bill } from '@comanda/contracts/bills';
import { isSameName } from '@comanda/contracts/text-key';
import type { Table } from '@comanda/contracts/tables';
import { useState } from 'preact/hooks';
import { Ask } from '@comanda/ui/ask.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { isMissing } from '@comanda/ui/feed-state.ts';
import { uiMessages } from '@comanda/ui/messages.ts';
import { LoadingRows } from '../loading/loading-rows.tsx';
import { type Seated, tableNamed } from './by-table.ts';
import { GuestsField } from './guests-field.tsx';
import { waiterMessages } from './messages.ts';
import { seatingMessages } from './seating-messages.ts';
import { NoTables } from './no-tables.tsx';
import { spotOf } from './floor.ts';
import { onlyBillOf } from './payment-link.ts';
import { TableActions } from './table-actions.tsx';
import { TableSeating } from './table-seating.tsx';
import { callsOf, joinedWith, paidAtOf } from './table-filter.ts';
import './table-state.css';
import './table-page.css';
import type { WaiterSession } from './waiter-session.ts';
import { wishOf } from '../calls/messages.ts';
import type { LiveOrder } from '@comanda/client/core';
import { LineSheet } from './line-sheet.tsx';
import { MoveSheet } from './move-sheet.tsx';
import { TableOrder } from './table-order.tsx';

/** Returns the amount that is still owed; "…" until it is known. */
const openTotalText = (total: string | null, currency: string): string =>
  total === null ? '…' : formatMoney(total, currency);

/** The page for one table: its orders, its bill, and a waiter's actions for it. */
export function TablePage({ session, name }: { session: WaiterSession; name: string }) {
  const words = waiterMessages().tables;
  const { tables, loadedAtMs } = session.tables;
  const table = tableNamed(tables.value, name);
  const isRead = loadedAtMs.value > 0;
  return (
    <>
      <a class="waiter-back" href="#/waiter/tables">
        <Icon name="back" /> {words.back}
      </a>
      {table && <KnownTable session={session} table={table} />}
      {!table && (isRead ? <UnknownTable session={session} name={name} /> : <NoTables session={session} />)}
    </>
  );
}

/** The page for orders whose table doesn't exist. They can be moved to an existing table, or cancelled. */
function UnknownTable({ session, name }: { session: WaiterSession; name: string }) {
  const words = waiterMessages().tables;
  const orders = session.bills.ordersOfUnknownTables.value.filter(({ table }) => isSameName(table, name));
  return (
    <>
      <div class="waiter-page-head">
        <h1>{uiMessages().tableOf(name)}</h1>
      </div>
      <p>
        {words.unknown} {orders.length > 0 ? words.unknownHint : words.unknownToDo}
      </p>
      <BillLinks session={session} table={{ table: name, seating: null }} />
      <TableOrders session={session} orders={orders} />
      {orders.length === 0 && !session.isRead.value && <LoadingRows text={waiterMessages().ready.notRead} />}
    </>
  );
}

function KnownTable({ session, table }: { session: WaiterSession; table: Table }) {
  const words = waiterMessages().tables;
  const [isMoreOpen, setIsMoreOpen] = useState(false);
  const [isClosing, setIsClosing] = useState(false);
  const { failure, run } = useAction();
  const bill = session.bills.of(table);
  const ordered = [...bill.orders].sort((a, b) => b.created_at.localeCompare(a.created_at));
  const left = session.bills.ordersOfFormerGuests(table);
  const spot = spotOf(session, table);
  const onlyBill = onlyBillOf(session, table.seating);
  return (
    <>
      <div class="waiter-page-head">
        <h1>{uiMessages().tableOf(table.table)}</h1>
        <p>
          {words.total} <strong>{openTotalText(bill.total, bill.currency)}</strong>
        </p>
      </div>
      <div class="row wrap waiter-table-facts">
        <TableState session={session} table={table} />
        {onlyBill && <GuestsField session={session} bill={onlyBill} ordered={spot.guests} />}
      </div>
      {failure !== null && <ErrorPanel words={failureWords(failure)} />}
      <TableActions
        session={session}
        spot={spot}
        isMoreOpen={isMoreOpen}
        onMore={() => setIsMoreOpen(!isMoreOpen)}
        onOpen={() => void run(() => session.openTable(table))}
      >
        <BillLinks session={session} table={table} />
      </TableActions>
      {isMoreOpen && (
        <TableSeating
          session={session}
          table={table}
          onClose={table.seating === null ? null : () => setIsClosing(true)}
        />
      )}
      {isClosing && <AskClose session={session} table={table} bill={bill} onClose={() => setIsClosing(false)} />}
      <TableOrders session={session} orders={ordered} />
      {ordered.length === 0 && <NoOrders session={session} />}
      {left.length > 0 && (
        <>
          <h2 class="waiter-left">{words.left}</h2>
          <TableOrders session={session} orders={left} />
        </>
      )}
    </>
  );
}

function NoOrders({ session }: { session: WaiterSession }) {
  const { tables, ready } = waiterMessages();
  if (isMissing(session.feedState.value, session.isRead.value)) return null;
  if (!session.bills.areKnown.value) return <LoadingRows text={ready.notRead} />;
  return <p class="dim">{tables.noOrders}</p>;
}

/** Links to the table's open bills, and to those that its guests have paid. */
function BillLinks({ session, table }: { session: WaiterSession; table: Seated }) {
  const writtenName = (name: string | null) => tableNamed([table, ...session.tables.tables.value], name)?.table;
  const ofTable = session.paying.bills.value.filter(({ table: name, status, seating }) =>
    seating !== null && seating === table.seating
      ? status !== 'merged'
      : writtenName(name) === table.table && status === 'open',
  );
  const isOneOfMany = ofTable.filter(({ status }) => status === 'open').length > 1;
  return (
    <>
      {ofTable.map((bill) => (
        <a
          key={bill.id}
          class="button button-secondary button-medium waiter-bill-link"
          href={`#/waiter/bill/${bill.id}`}
        >
          <Icon name="receipt" />
          <span class="button-text">{billText(bill, isOneOfMany)}</span>
        </a>
      ))}
    </>
  );
}
/**
 * Returns the link's text: what is left to pay. If there are several open bills, it also names each bill's first order, because
 * two may have the same amount.
 */
function billText({ status, number, remaining, currency, lines }: Bill, isOneOfMany: boolean): string {
  const words = waiterMessages().tables;
  if (status !== 'open') return words.paidBill(number);
  const left = formatMoney(remaining, currency);
  const [first] = lines;
  return isOneOfMany && first ? words.billFrom(first.ticket, left) : words.bill(left);
}

type AskCloseProps = {
  session: WaiterSession;
  table: Table;
  bill: ReturnType<WaiterSession['bills']['of']>;
  onClose: () => void;
};

function AskClose({ session, table, bill: { total, currency, openCount }, onClose }: AskCloseProps) {
  const words = waiterMessages().tables;
  const joined = joinedWith(session, table);
  return (
    <Ask
      question={words.closeAsk(table.table)}
      yes={words.closeYes}
      onYes={() => session.closeTable(table)}
      onClose={onClose}
    >
      <p>
        {openCount > 0 && <strong>{words.closeOpenOrders(openCount)} </strong>}
        <strong>{words.closeTotal(openTotalText(total, currency))}</strong> {words.closeGuests}
        {joined.length > 0 && <strong> {seatingMessages().closesToo(joined)}</strong>}
      </p>
    </Ask>
  );
}

const minuteMs = 60_000;

/**
 * Shows a table's state apart from its orders: how long its guests have been seated, when they paid, what they want, and which
 * tables are joined with it.
 */
function TableState({ session, table }: { session: WaiterSession; table: Table }) {
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

/** What the waiter has opened: an order, to move it, or one of its dishes. Null if nothing is open. */
type Opened = { orderId: number; itemId: number | null } | null;

/** Lists a table's orders. Each order can be moved to another table, and something can be done with each of its dishes. */
function TableOrders({ session, orders }: { session: WaiterSession; orders: readonly LiveOrder[] }) {
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
