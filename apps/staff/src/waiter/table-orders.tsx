import type { LiveOrder } from '@comanda/client/core';
import type { Table } from '@comanda/contracts/tables';
import type { ComponentChildren } from 'preact';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { OrderItem } from '../bumps/ticket.ts';
import { needsReason } from '../reasons/needs-reason.ts';
import { ReasonChoice } from '../reasons/reason-choice.tsx';
import { Ask } from './ask.tsx';
import { waiterMessages } from './messages.ts';
import { TableChoice } from './table-choice.tsx';
import { TableOrder } from './table-order.tsx';
import type { WaiterSession } from './waiter-session.ts';

/**
 * The open question to the waiter: to which table an order moves (`item` is null), or whether to cancel a dish. Null if there is
 * none.
 */
type Asking = { orderId: number; item: OrderItem | null } | null;

/** Lists a table's orders. Each order can be moved to another table, and its dishes can be cancelled. */
export function TableOrders({ session, orders }: { session: WaiterSession; orders: readonly LiveOrder[] }) {
  const [asking, setAsking] = useState<Asking>(null);
  const { failure, run, forgetFailure } = useAction();
  const act = async (action: () => Promise<void>): Promise<void> => {
    if (await run(action)) setAsking(null);
  };
  const ask = (next: Asking): void => {
    forgetFailure();
    setAsking(next);
  };
  const cancel = (): void => ask(null);
  const refusal = failure !== null && <Refusal failure={failure} />;
  if (orders.length === 0) return null;
  return (
    <div class="waiter-orders">
      {orders.map((order) => {
        const asked = asking?.orderId === order.id ? asking : null;
        const item = asked?.item ?? null;
        return (
          <TableOrder
            key={order.id}
            order={order}
            isManager={session.isManager}
            isMoving={asked !== null && item === null}
            onMove={() => ask({ orderId: order.id, item: null })}
            onTakeOff={(chosen) => ask({ orderId: order.id, item: chosen })}
          >
            {item && (
              <AskTakeOff
                order={order}
                item={item}
                onYes={(reason) => void act(() => session.takeOff(order, { item, reason }))}
                onCancel={cancel}
              >
                {refusal}
              </AskTakeOff>
            )}
            {asked !== null && item === null && (
              <AskMove
                order={order}
                session={session}
                onChoose={(to) => void act(() => session.moveOrder(order, to))}
                onCancel={cancel}
              >
                {refusal}
              </AskMove>
            )}
          </TableOrder>
        );
      })}
    </div>
  );
}

/** Shows why the server rejected a change, scrolled into view, because an order may be higher than a phone's screen. */
function Refusal({ failure }: { failure: unknown }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [failure]);
  return (
    <div ref={place}>
      <ErrorPanel words={failureWords(failure)} />
    </div>
  );
}

type AskTakeOffProps = {
  order: LiveOrder;
  item: OrderItem;
  onYes: (reason: string) => void;
  onCancel: () => void;
  children: ComponentChildren;
};

function AskTakeOff({ order, item: { quantity, name, status }, onYes, onCancel, children }: AskTakeOffProps) {
  const words = waiterMessages().tables;
  const [typed, setTyped] = useState('');
  const reason = typed.trim();
  const asksWhy = needsReason(status);
  return (
    <Ask question={words.takeOffAsk(quantity, name, order.ticket)}>
      <p>{words.takeOffText}</p>
      {asksWhy && <ReasonChoice of="cancellation" reason={typed} onChange={setTyped} />}
      {children}
      <div class="waiter-ask-buttons">
        <Button onClick={onCancel}>{words.cancel}</Button>
        <Button kind="danger" autofocus={!asksWhy} disabled={asksWhy && reason === ''} onClick={() => onYes(reason)}>
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
  children: ComponentChildren;
};

function AskMove({ order, session, onChoose, onCancel, children }: AskMoveProps) {
  const words = waiterMessages().tables;
  const others = session.tables.tables.value.filter(({ table }) => table !== order.table);
  return (
    <Ask question={words.moveAsk(order.ticket)}>
      {children}
      <TableChoice tables={others} isTaken={session.bills.isTaken} onChoose={onChoose} />
      <Button onClick={onCancel}>{words.cancel}</Button>
    </Ask>
  );
}
