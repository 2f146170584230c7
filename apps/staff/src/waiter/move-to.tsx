import type { LiveOrder } from '@comanda/client/core';
import type { Table } from '@comanda/contracts/tables';
import { lineMessages } from './line-messages.ts';
import { Refusal } from './refusal.tsx';
import { TableChoice } from './table-choice.tsx';
import type { WaiterSession } from './waiter-session.ts';

type MoveToProps = {
  session: WaiterSession;
  /** The order whose dishes move. */
  order: LiveOrder;
  failure: unknown;
  onChoose: (table: Table) => void;
};

/** Lets the waiter select the table to which dishes move. */
export function MoveTo({ session, order, failure, onChoose }: MoveToProps) {
  const others = session.tables.tables.value.filter(({ table }) => table !== order.table);
  return (
    <>
      <p class="dim">{lineMessages().move.text}</p>
      {failure !== null && <Refusal failure={failure} />}
      <TableChoice tables={others} isTaken={session.bills.isTaken} onChoose={onChoose} />
    </>
  );
}
