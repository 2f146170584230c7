import type { LiveOrder } from '@comanda/client';
import type { Table } from '@comanda/contracts/users';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { formatMoney, formatTime } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { Allergies } from './allergies.tsx';
import { tableChoiceLabel, waiterMessages } from './messages.ts';
import type { WaiterSession } from './waiter-session.ts';

type Asking = { kind: 'close' } | { kind: 'move'; order: LiveOrder } | null;

/** One table: its orders, its bill, and what a waiter does with it. */
export function TablePage({ session, name }: { session: WaiterSession; name: string }) {
  const words = waiterMessages().tables;
  const [asking, setAsking] = useState<Asking>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const table = session.tables.value.find((each) => each.table === name);

  async function run(action: () => Promise<void>): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    setFailure(null);
    try {
      await action();
      setAsking(null);
    } catch (error) {
      setFailure(error);
    }
    setIsBusy(false);
  }

  const back = (
    <a class="waiter-back" href="#/waiter/tables">
      <Icon name="back" /> {words.back}
    </a>
  );
  if (!table)
    return (
      <>
        {back}
        {session.tables.value.length > 0 && <p>{words.unknown}</p>}
      </>
    );
  const bill = session.bill(table);
  const ordered = bill.orders.toSorted((a, b) => b.created_at.localeCompare(a.created_at));
  const left = session.leftOrders(table);
  const show = (order: LiveOrder) => (
    <article key={order.id} class="waiter-order" aria-label={words.order(order.ticket)}>
      <header>
        <div>
          <h2>{words.order(order.ticket)}</h2>
          <p>{words.byGuest(order.placed_by.name, formatTime(order.created_at))}</p>
        </div>
        <Button
          size="small"
          aria-label={words.moveLabel(order.ticket)}
          aria-expanded={asking?.kind === 'move' && asking.order.id === order.id}
          onClick={() => setAsking({ kind: 'move', order })}
        >
          {words.move}
        </Button>
      </header>
      <Allergies orders={[order]} />
      {asking?.kind === 'move' && asking.order.id === order.id && (
        <AskTable
          order={order}
          session={session}
          onChoose={(to) => void run(() => session.moveOrder(order, to))}
          onCancel={() => setAsking(null)}
        />
      )}
      <ul>
        {order.items.map(({ id, quantity, name: dish, remarks, status }) => (
          <li key={id} class={`waiter-item waiter-item-${status}`}>
            <b>{quantity}</b>
            <span>
              {dish}
              {remarks !== '' && <mark>{remarks}</mark>}
            </span>
            <em>{words.status[status]}</em>
          </li>
        ))}
      </ul>
      <p class="waiter-order-total">{formatMoney(order.total, order.currency)}</p>
    </article>
  );
  return (
    <>
      {back}
      <div class="waiter-table-head">
        <h1>{waiterMessages().table(name)}</h1>
        <p>
          {words.total} <strong>{formatMoney(bill.total, bill.currency)}</strong>
        </p>
      </div>
      {failure !== null && <ErrorPanel words={failureWords(failure)} />}
      <div class="waiter-actions">
        <a class="button button-primary button-medium" href={`#/waiter/order/${name}`}>
          <Icon name="plus" />
          <span class="button-text">{words.orderHere}</span>
        </a>
        {table.seating === null ? (
          <Button onClick={() => void run(() => session.openTable(table))}>
            {ordered.length === 0 ? words.open : words.openWith(ordered.length)}
          </Button>
        ) : (
          <Button onClick={() => setAsking({ kind: 'close' })}>{words.close}</Button>
        )}
      </div>
      {table.seating === null && <p class="waiter-dim">{ordered.length === 0 ? words.openHint : words.openWithHint}</p>}
      {asking?.kind === 'close' && (
        <AskClose
          table={table}
          session={session}
          onYes={() => void run(() => session.closeTable(table))}
          onCancel={() => setAsking(null)}
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

type AskCloseProps = { table: Table; session: WaiterSession; onYes: () => void; onCancel: () => void };

function AskClose({ table, session, onYes, onCancel }: AskCloseProps) {
  const words = waiterMessages().tables;
  const { total, currency, openCount } = session.bill(table);
  return (
    <section class="waiter-ask" role="group" aria-label={words.closeAsk(table.table)}>
      <h2>{words.closeAsk(table.table)}</h2>
      <p>
        {openCount > 0 && <strong>{words.closeOpenOrders(openCount)} </strong>}
        <strong>{words.closeTotal(formatMoney(total, currency))}</strong> {words.closeGuests}
      </p>
      <div class="waiter-ask-buttons">
        <Button onClick={onCancel}>{words.cancel}</Button>
        <Button kind="primary" autofocus onClick={onYes}>
          {words.closeYes}
        </Button>
      </div>
    </section>
  );
}

type AskTableProps = {
  order: LiveOrder;
  session: WaiterSession;
  onChoose: (table: Table) => void;
  onCancel: () => void;
};

function AskTable({ order, session, onChoose, onCancel }: AskTableProps) {
  const words = waiterMessages().tables;
  const others = session.tables.value.filter(({ table }) => table !== order.table);
  return (
    <section class="waiter-ask" role="group" aria-label={words.moveAsk(order.ticket)}>
      <h2>{words.moveAsk(order.ticket)}</h2>
      <ul class="waiter-table-choice">
        {others.map((table) => (
          <li key={table.table}>
            <Button
              class={session.isTaken(table) ? 'waiter-seated' : ''}
              aria-label={tableChoiceLabel(table.table, session.isTaken(table))}
              onClick={() => onChoose(table)}
            >
              {table.table} {session.isTaken(table) && <small>{waiterMessages().taken}</small>}
            </Button>
          </li>
        ))}
      </ul>
      <Button onClick={onCancel}>{words.cancel}</Button>
    </section>
  );
}
