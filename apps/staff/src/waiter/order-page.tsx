import type { Table } from '@comanda/contracts/tables';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Icon } from '@comanda/ui/icon.tsx';
import { uiMessages } from '@comanda/ui/messages.ts';
import { tableNamed } from './by-table.ts';
import { waiterMessages } from './messages.ts';
import { ChooseDishes } from './choose-dishes.tsx';
import { DishSheet, type OpenedDish } from './dish-sheet.tsx';
import { NoTables } from './no-tables.tsx';
import './order-page.css';
import { otherDraftTable, placeOf } from './send-draft.ts';
import { TableChoice } from './table-choice.tsx';
import { Ticket, TicketFoot } from './ticket.tsx';
import { useIsWide } from './use-is-wide.ts';
import type { WaiterSession } from './waiter-session.ts';

type Props = { session: WaiterSession; table: string | null; isReview: boolean };

/** The pages for taking an order: selecting the table, selecting dishes, and the review. */
export function OrderPage({ session, table: named, isReview }: Props) {
  const table = named && writtenName(session.tables.tables.value, named);
  const seating = table === null ? null : placeOf(session, table).seating;
  const isKnown = session.tables.loadedAtMs.value > 0;
  const begunFor = otherDraftTable(session, table);
  const isOfOther = begunFor !== null;
  useEffect(() => {
    session.menu.load();
    session.offer.load();
  }, [session]);
  useEffect(() => {
    if (table !== null && !isOfOther) session.draft.setTable(table, isKnown ? seating : undefined);
  }, [session, table, seating, isOfOther, isKnown]);
  if (table === null) return <ChooseTable session={session} />;
  if (isOfOther) return <ChooseDraft {...{ session, table, seating, begunFor }} />;
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

type ChooseDraftProps = {
  session: WaiterSession;
  table: string;
  /** The table's seating now. */
  seating: number | null;
  /** The table that the draft was begun for: another one, or this one with guests who have left. */
  begunFor: string;
};

/** Asks what to do with an unsent draft for other guests, so that its dishes and allergies aren't ordered here by mistake. */
function ChooseDraft({ session, table, seating, begunFor }: ChooseDraftProps) {
  const words = waiterMessages().order;
  const { lines, allergies } = session.draft.draft.value;
  const isHere = begunFor === table;
  return (
    <>
      <h1>{uiMessages().tableOf(table)}</h1>
      <p>{isHere ? words.begunBefore(table) : words.begunFor(begunFor)}</p>
      <p>{[...lines.map(({ quantity, name }) => `${quantity} ${name}`), allergies].filter(Boolean).join(', ')}</p>
      <Button kind="primary" onClick={() => session.draft.clear()}>
        {words.beginAnew}
      </Button>
      <Button onClick={() => session.draft.setTable(table, seating)}>
        {isHere ? words.takeForNew : words.takeFor(table)}
      </Button>
      {!isHere && (
        <a class="button button-secondary" href={`#/waiter/order/${begunFor}`}>
          {words.backTo(begunFor)}
        </a>
      )}
    </>
  );
}

type TakeOrderProps = { session: WaiterSession; table: string; isReview: boolean };

/** The dishes to select from, or on a phone the review. A wide screen shows both side by side. */
function TakeOrder({ session, table, isReview }: TakeOrderProps) {
  const words = waiterMessages().order;
  const isWide = useIsWide();
  const [opened, setOpened] = useState<OpenedDish | null>(null);
  const sheet = <DishSheet session={session} opened={opened} onClose={() => setOpened(null)} />;
  if (isReview && !isWide)
    return (
      <>
        <a class="waiter-back" href={`#/waiter/order/${table}`}>
          <Icon name="back" /> {words.addMore}
        </a>
        <h1 class="waiter-title waiter-review-title">{words.reviewTitle(table)}</h1>
        <Ticket session={session} table={table} onOpen={setOpened} />
        {sheet}
      </>
    );
  return (
    <div class={isWide ? 'waiter-taking waiter-taking-wide' : 'waiter-taking'}>
      <ChooseDishes session={session} table={table} onOpen={setOpened} />
      {isWide && (
        <aside class="column gap-2 waiter-ticket" aria-label={words.reviewTitle(table)}>
          <div class="waiter-ticket-lines">
            <Ticket session={session} table={table} onOpen={setOpened} />
          </div>
          <TicketFoot session={session} table={table} />
        </aside>
      )}
      {sheet}
    </div>
  );
}
