import type { Table } from '@comanda/contracts/tables';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Icon } from '@comanda/ui/icon.tsx';
import { tableNamed } from './by-table.ts';
import { isOld } from './draft.ts';
import { waiterMessages } from './messages.ts';
import { ChooseDishes } from './choose-dishes.tsx';
import { NoTables } from './no-tables.tsx';
import './order-page.css';
import { RemarksDialog } from './remarks-dialog.tsx';
import { TableChoice } from './table-choice.tsx';
import { Ticket, TicketFoot } from './ticket.tsx';
import { useIsWide } from './use-is-wide.ts';
import type { WaiterSession } from './waiter-session.ts';

type Props = { session: WaiterSession; table: string | null; isReview: boolean };

/** The pages for taking an order: selecting the table, selecting dishes, and the review. */
export function OrderPage({ session, table: named, isReview }: Props) {
  const table = named && writtenName(session.tables.tables.value, named);
  const draft = session.draft.draft.value;
  const begunFor = draft.lines.length > 0 && !isOld(draft) ? draft.table : null;
  const isOfOther = begunFor !== null && begunFor !== table;
  useEffect(() => session.menu.load(), [session]);
  useEffect(() => {
    if (table !== null && !isOfOther) session.draft.setTable(table);
  }, [session, table, isOfOther]);
  if (table === null) return <ChooseTable session={session} />;
  if (isOfOther) return <ChooseDraft {...{ session, table, begunFor }} />;
  return <TakeOrder key={table} session={session} table={table} isReview={isReview} />;
}

/** Returns the table's name as it is spelled in the list, because the address may have it in another case. */
const writtenName = (tables: readonly Table[], named: string): string => tableNamed(tables, named)?.table ?? named;

function ChooseTable({ session }: { session: WaiterSession }) {
  const words = waiterMessages().order;
  return (
    <>
      <h1 class="waiter-title">{words.whichTable}</h1>
      <NoTables session={session} />
      <TableChoice
        tables={session.tables.tables.value}
        isTaken={session.bills.isTaken}
        hrefOf={({ table }) => `#/waiter/order/${table}`}
      />
    </>
  );
}

/** Asks what to do with an unsent draft for another table, so that its dishes and allergies aren't ordered here by mistake. */
function ChooseDraft({ session, table, begunFor }: { session: WaiterSession; table: string; begunFor: string }) {
  const words = waiterMessages().order;
  const { lines, allergies } = session.draft.draft.value;
  return (
    <>
      <h1>{waiterMessages().table(table)}</h1>
      <p>{words.begunFor(begunFor)}</p>
      <p>{[...lines.map(({ quantity, name }) => `${quantity} ${name}`), allergies].filter(Boolean).join(', ')}</p>
      <Button kind="primary" onClick={() => session.draft.clear()}>
        {words.beginAnew}
      </Button>
      <Button onClick={() => session.draft.setTable(table)}>{words.takeFor(table)}</Button>
      <a class="button button-secondary" href={`#/waiter/order/${begunFor}`}>
        {words.backTo(begunFor)}
      </a>
    </>
  );
}

type TakeOrderProps = { session: WaiterSession; table: string; isReview: boolean };

/** The dishes to select from, or on a phone the review. A wide screen shows both side by side. */
function TakeOrder({ session, table, isReview }: TakeOrderProps) {
  const words = waiterMessages().order;
  const isWide = useIsWide();
  const [editedId, setEditedId] = useState<number | null>(null);
  const edited = session.draft.draft.value.lines.find(({ dishId }) => dishId === editedId);
  const dialog = <RemarksDialog session={session} line={edited} onClose={() => setEditedId(null)} />;
  if (isReview && !isWide)
    return (
      <>
        <a class="waiter-back" href={`#/waiter/order/${table}`}>
          <Icon name="back" /> {words.addMore}
        </a>
        <h1 class="waiter-title waiter-review-title">{words.reviewTitle(table)}</h1>
        <Ticket session={session} table={table} onRemarks={setEditedId} />
        {dialog}
      </>
    );
  return (
    <div class={isWide ? 'waiter-taking waiter-taking-wide' : 'waiter-taking'}>
      <ChooseDishes session={session} table={table} onRemarks={setEditedId} />
      {isWide && (
        <aside class="waiter-ticket" aria-label={words.reviewTitle(table)}>
          <div class="waiter-ticket-lines">
            <Ticket session={session} table={table} onRemarks={setEditedId} />
          </div>
          <TicketFoot session={session} table={table} />
        </aside>
      )}
      {dialog}
    </div>
  );
}
