import type { Bill } from '@comanda/contracts/bills';
import type { Table } from '@comanda/contracts/tables';
import type { ComponentChildren, JSX } from 'preact';
import { Button, IconButton } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { isWaiting } from '@comanda/ui/unsent-entry.ts';
import { billWords } from './bill/messages.ts';
import { CleanButton } from './clean-button.tsx';
import type { Spot } from './floor.ts';
import { waiterMessages } from './messages.ts';
import { onlyBillOf, paymentFor } from './payment-link.ts';
import { useSettling } from './use-settling.ts';
import type { WaiterSession } from './waiter-session.ts';

type TableActionsProps = {
  session: WaiterSession;
  spot: Spot;
  /** True while the rarer actions are shown. */
  isMoreOpen: boolean;
  onMore: () => void;
  onOpen: () => void;
  /** The links to the table's bills. */
  children: ComponentChildren;
};

/**
 * The buttons for a table. The first, red one is the table's next step: clean it, take the payment its guests ask for, close the
 * paid bill, or else take an order.
 */
export function TableActions({ session, spot, isMoreOpen, onMore, onOpen, children }: TableActionsProps) {
  const words = waiterMessages().tables;
  const { table, orders } = spot;
  const next = nextStep(session, spot);
  const order = (
    <a
      class={classNames('button button-medium', next ? 'button-secondary' : 'button-primary')}
      href={`#/waiter/order/${table.table}`}
    >
      {!next && <Icon name="plus" />}
      <span class="button-text">{words.orderHere}</span>
    </a>
  );
  return (
    <>
      <div class="wrap gap-3 waiter-actions">
        {next ?? order}
        <div class="wrap gap-3 waiter-actions-more">
          {next && order}
          {children}
          {table.seating === null && (
            <Button onClick={onOpen}>{orders.length === 0 ? words.open : words.openWith(orders.length)}</Button>
          )}
          <IconButton label={words.more(table.table)} aria-expanded={isMoreOpen} onClick={onMore}>
            <span class="waiter-more" aria-hidden="true">
              …
            </span>
          </IconButton>
        </div>
      </div>
      {table.seating === null && session.bills.areKnown.value && (
        <p class="dim">{orders.length === 0 ? words.openHint : words.openWithHint}</p>
      )}
    </>
  );
}

/** Returns the red button for the table's state; null if it is "New order". */
function nextStep(session: WaiterSession, { table, state, calls, openCount }: Spot): JSX.Element | null {
  if (state === 'to_clean') return <CleanButton session={session} table={table} kind="primary" size="medium" />;
  const payment = calls.map((call) => paymentFor(session, call)).find((each) => each !== null);
  if (payment)
    return (
      <a class="button button-primary button-medium" href={payment.href}>
        <span class="button-text">
          {waiterMessages().tables.takePayment(formatMoney(payment.bill.remaining, payment.bill.currency))}
        </span>
      </a>
    );
  const bill = onlyBillOf(session, table.seating);
  if (bill && state === 'paid' && openCount === 0) return <EndButton session={session} table={table} bill={bill} />;
  return null;
}

/** Closes a paid bill. A tap right after the button has appeared was meant for another one, which was there before. */
function EndButton({ session: { paying }, table, bill }: { session: WaiterSession; table: Table; bill: Bill }) {
  const isEnding = paying.unsent.value.some(
    (entry) => isWaiting(entry) && entry.input.kind === 'end' && entry.input.billId === bill.id,
  );
  const settling = useSettling();
  return (
    <Button kind="primary" class={classNames(settling)} aria-disabled={isEnding} onClick={() => paying.end(bill)}>
      {isEnding ? billWords().ending : billWords().end(table.table)}
    </Button>
  );
}
