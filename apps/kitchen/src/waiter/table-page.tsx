import type { LiveOrder } from '@comanda/client';
import type { Table } from '@comanda/contracts/users';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import type { OrderItem } from '../bumps/ticket.ts';
import { Ask } from './ask.tsx';
import { waiterMessages } from './messages.ts';
import { seatingMessages } from './seating-messages.ts';
import { TableChoice } from './table-choice.tsx';
import { TableOrder } from './table-order.tsx';
import { TableSeating } from './table-seating.tsx';
import { TableState } from './table-state.tsx';
import { joinedWith } from './table-wishes.ts';
import './table-page.css';
import type { WaiterSession } from './waiter-session.ts';

/** One table: its orders, its bill, and what a waiter does with it. */
export function TablePage({ session, name }: { session: WaiterSession; name: string }) {
  const words = waiterMessages().tables;
  const tables = session.tables.tables.value;
  const table = tables.find((each) => each.table === name);
  return (
    <>
      <a class="waiter-back" href="#/waiter/tables">
        <Icon name="back" /> {words.back}
      </a>
      {table ? <KnownTable session={session} table={table} /> : tables.length > 0 && <p>{words.unknown}</p>}
    </>
  );
}

type Asking =
  | { kind: 'close' }
  | { kind: 'move'; order: LiveOrder }
  | { kind: 'takeOff'; order: LiveOrder; item: OrderItem }
  | null;

function KnownTable({ session, table }: { session: WaiterSession; table: Table }) {
  const words = waiterMessages().tables;
  const [asking, setAsking] = useState<Asking>(null);
  const { failure, run } = useAction();
  const bill = session.bills.of(table);
  const ordered = bill.orders.toSorted((a, b) => b.created_at.localeCompare(a.created_at));
  const left = session.bills.leftOrders(table);
  const act = async (action: () => Promise<void>): Promise<void> => {
    if (await run(action)) setAsking(null);
  };
  const cancel = (): void => setAsking(null);
  const show = (order: LiveOrder) => {
    const isMoving = asking?.kind === 'move' && asking.order.id === order.id;
    return (
      <TableOrder
        key={order.id}
        order={order}
        isMoving={isMoving}
        onMove={() => setAsking({ kind: 'move', order })}
        onTakeOff={(item) => setAsking({ kind: 'takeOff', order, item })}
      >
        {asking?.kind === 'takeOff' && asking.order.id === order.id && (
          <AskTakeOff
            order={order}
            item={asking.item}
            onYes={() => void act(() => session.takeOff(order, asking.item))}
            onCancel={cancel}
          />
        )}
        {isMoving && (
          <AskMove
            order={order}
            session={session}
            onChoose={(to) => void act(() => session.moveOrder(order, to))}
            onCancel={cancel}
          />
        )}
      </TableOrder>
    );
  };
  return (
    <>
      <div class="waiter-page-head">
        <h1>{waiterMessages().table(table.table)}</h1>
        <p>
          {words.total} <strong>{formatMoney(bill.total, bill.currency)}</strong>
        </p>
      </div>
      <TableState session={session} table={table} />
      {failure !== null && <ErrorPanel words={failureWords(failure)} />}
      <Actions
        table={table}
        orderCount={ordered.length}
        onOpen={() => void act(() => session.openTable(table))}
        onClose={() => setAsking({ kind: 'close' })}
      />
      <BillLinks session={session} table={table} />
      <TableSeating session={session} table={table} />
      {asking?.kind === 'close' && (
        <AskClose
          session={session}
          table={table}
          bill={bill}
          onYes={() => void act(() => session.closeTable(table))}
          onCancel={cancel}
        />
      )}
      {ordered.map(show)}
      {ordered.length === 0 && <p class="waiter-dim">{words.noOrders}</p>}
      {left.length > 0 && (
        <>
          <h2 class="waiter-left">{words.left}</h2>
          {left.map(show)}
        </>
      )}
    </>
  );
}

/** The ways to what the table has to pay, and to what its guests have paid. */
function BillLinks({ session, table }: { session: WaiterSession; table: Table }) {
  const words = waiterMessages().tables;
  const ofTable = session.paying.bills.value.filter(({ table: name, status, seating }) =>
    seating !== null && seating === table.seating ? status !== 'merged' : name === table.table && status === 'open',
  );
  return (
    <>
      {ofTable.map(({ id, status, number, remaining, currency }) => (
        <a key={id} class="button button-secondary button-medium" href={`#/waiter/bill/${id}`}>
          <Icon name="receipt" />
          <span class="button-text">
            {status === 'open' ? words.bill(formatMoney(remaining, currency)) : words.paidBill(number)}
          </span>
        </a>
      ))}
    </>
  );
}

type ActionsProps = { table: Table; orderCount: number; onOpen: () => void; onClose: () => void };

/** A new order, and the begin or the end of a seating. */
function Actions({ table: { table, seating }, orderCount, onOpen, onClose }: ActionsProps) {
  const words = waiterMessages().tables;
  return (
    <>
      <div class="waiter-actions">
        <a class="button button-primary button-medium" href={`#/waiter/order/${table}`}>
          <Icon name="plus" />
          <span class="button-text">{words.orderHere}</span>
        </a>
        {seating === null ? (
          <Button onClick={onOpen}>{orderCount === 0 ? words.open : words.openWith(orderCount)}</Button>
        ) : (
          <Button onClick={onClose}>{words.close}</Button>
        )}
      </div>
      {seating === null && <p class="waiter-dim">{orderCount === 0 ? words.openHint : words.openWithHint}</p>}
    </>
  );
}

type AskCloseProps = {
  session: WaiterSession;
  table: Table;
  bill: ReturnType<WaiterSession['bills']['of']>;
  onYes: () => void;
  onCancel: () => void;
};

function AskClose({ session, table, bill: { total, currency, openCount }, onYes, onCancel }: AskCloseProps) {
  const words = waiterMessages().tables;
  const joined = joinedWith(session, table);
  return (
    <Ask question={words.closeAsk(table.table)}>
      <p>
        {openCount > 0 && <strong>{words.closeOpenOrders(openCount)} </strong>}
        <strong>{words.closeTotal(formatMoney(total, currency))}</strong> {words.closeGuests}
        {joined.length > 0 && <strong> {seatingMessages().closesToo(joined)}</strong>}
      </p>
      <div class="waiter-ask-buttons">
        <Button onClick={onCancel}>{words.cancel}</Button>
        <Button kind="primary" autofocus onClick={onYes}>
          {words.closeYes}
        </Button>
      </div>
    </Ask>
  );
}

type AskTakeOffProps = { order: LiveOrder; item: OrderItem; onYes: () => void; onCancel: () => void };

function AskTakeOff({ order, item: { quantity, name }, onYes, onCancel }: AskTakeOffProps) {
  const words = waiterMessages().tables;
  return (
    <Ask question={words.takeOffAsk(quantity, name, order.ticket)}>
      <p>{words.takeOffText}</p>
      <div class="waiter-ask-buttons">
        <Button onClick={onCancel}>{words.cancel}</Button>
        <Button kind="danger" autofocus onClick={onYes}>
          {words.takeOffYes}
        </Button>
      </div>
    </Ask>
  );
}

type AskMoveProps = {
  order: LiveOrder;
  session: WaiterSession;
  onChoose: (table: Table) => void;
  onCancel: () => void;
};

function AskMove({ order, session, onChoose, onCancel }: AskMoveProps) {
  const words = waiterMessages().tables;
  const others = session.tables.tables.value.filter(({ table }) => table !== order.table);
  return (
    <Ask question={words.moveAsk(order.ticket)}>
      <TableChoice tables={others} isTaken={session.bills.isTaken} onChoose={onChoose} />
      <Button onClick={onCancel}>{words.cancel}</Button>
    </Ask>
  );
}
