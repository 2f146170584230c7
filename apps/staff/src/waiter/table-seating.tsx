import type { Table } from '@comanda/contracts/tables';
import { Ask } from '@comanda/ui/ask.tsx';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { goTo } from '../address.ts';
import { waiterMessages } from './messages.ts';
import { seatingMessages } from './seating-messages.ts';
import { TableChoice } from './table-choice.tsx';
import { joinedWith } from './table-filter.ts';
import type { WaiterSession } from './waiter-session.ts';

type TableProps = {
  session: WaiterSession;
  table: Table;
  /** Asks whether to close the table; null if it has no guests. */
  onClose: (() => void) | null;
};
type Asking = 'move' | 'join' | { joinWith: Table } | null;

/** The rarer actions for a table: move its guests, join it with another table, or close it. */
export function TableSeating({ session, table, onClose }: TableProps) {
  const words = seatingMessages();
  const [asking, setAsking] = useState<Asking>(null);
  const { failure, run } = useAction();
  const cancel = (): void => setAsking(null);
  const toggle = (next: 'move' | 'join'): void => setAsking(asking === next ? null : next);
  const others = session.tables.tables.value.filter(({ table: name }) => name !== table.table);
  const move = async (to: Table): Promise<void> => {
    if (await run(() => session.guests.move(table, to))) goTo(`#/waiter/tables/${to.table}`);
  };
  return (
    <>
      {failure !== null && <ErrorPanel words={failureWords(failure)} />}
      <div class="waiter-seating">
        {table.seating !== null && joinedWith(session, table).length === 0 && (
          <Button aria-expanded={asking === 'move'} onClick={() => toggle('move')}>
            {words.move}
          </Button>
        )}
        <Button aria-expanded={asking === 'join'} onClick={() => toggle('join')}>
          {words.join}
        </Button>
        {onClose && <Button onClick={onClose}>{waiterMessages().tables.close}</Button>}
      </div>
      {asking === 'move' && (
        <ChooseTable
          session={session}
          question={words.moveAsk(table.table)}
          follows={words.moveFollows}
          tables={others.filter(({ seating }) => seating === null)}
          onChoose={(to) => void move(to)}
          onCancel={cancel}
          none={
            <>
              <p>{words.noTable}</p>
              <Button onClick={() => setAsking('join')}>{words.join}</Button>
            </>
          }
        />
      )}
      {asking === 'join' && (
        <ChooseTable
          session={session}
          question={words.joinAsk(table.table)}
          follows={words.joinFollows}
          tables={others.filter(({ seating }) => seating === null || seating !== table.seating)}
          onChoose={(joinWith) => setAsking({ joinWith })}
          onCancel={cancel}
          none={<p>{words.nothingToJoin}</p>}
        />
      )}
      {asking !== null && typeof asking === 'object' && (
        <Ask
          question={words.joinSure(table.table, asking.joinWith.table)}
          yes={words.joinYes}
          onYes={() => session.guests.join(table, asking.joinWith)}
          onClose={cancel}
        >
          <p>{words.oneBill(table.table, asking.joinWith.table)}</p>
        </Ask>
      )}
    </>
  );
}

type ChooseTableProps = {
  session: WaiterSession;
  question: string;
  /** Text that says what happens once a table is selected. */
  follows: string;
  tables: readonly Table[];
  /** Shown if there is no table to select. */
  none: ComponentChildren;
  onChoose: (table: Table) => void;
  onCancel: () => void;
};

const ChooseTable = ({ session, question, follows, tables, none, onChoose, onCancel }: ChooseTableProps) => (
  <Ask question={question} onClose={onCancel}>
    {tables.length > 0 ? <p>{follows}</p> : none}
    <TableChoice tables={tables} isTaken={session.bills.isTaken} onChoose={onChoose} />
  </Ask>
);
