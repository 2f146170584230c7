import '@comanda/ui/status.css';
import type { Client, LiveOrder } from '@comanda/client/core';
import type { Bill } from '@comanda/contracts/bills';
import type { Table } from '@comanda/contracts/tables';
import { useState } from 'preact/hooks';
import { Ask } from '@comanda/ui/ask.tsx';
import { Button, IconButton } from '@comanda/ui/button.tsx';
import { formatDay, formatMoney, formatTime } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { billOf, sumOf } from '../../waiter/by-table.ts';
import { seatingMessages } from '../../waiter/seating-messages.ts';
import { managerFailureWords, managerMessages } from '../messages.ts';
import { QrCode } from '@comanda/ui/qr-code.tsx';
import { uiMessages } from '@comanda/ui/messages.ts';
import './table-card.css';

/** All open orders and open bills of the restaurant. */
type Ordered = { orders: readonly LiveOrder[]; bills: readonly Bill[] };
type TableCardProps = {
  client: Client;
  table: Table;
  /** The open orders and bills; null until they are loaded. */
  ordered: Ordered | null;
  /** True if the table's code was created on this page, so it must be printed. */
  isFresh: boolean;
  onPrint: () => void;
  onReplaced: (table: Table) => void;
};
type Asking = 'replace' | 'remove' | null;

/** A card for a table and its code, which can be printed and replaced. The table can also be removed. */
export function TableCard({ client, table, ordered, isFresh, onPrint, onReplaced }: TableCardProps) {
  const words = managerMessages().tables;
  const [asking, setAsking] = useState<Asking>(null);
  const [isMoreOpen, setIsMoreOpen] = useState(false);
  const name = table.table;
  const yes = async (): Promise<void> => {
    if (asking === 'replace') onReplaced(await client.calls.putTable({ table: name }));
    else await client.calls.deleteTable({ table: name });
    setIsMoreOpen(false);
  };
  return (
    <article class="card column gap-2 table-card" aria-label={uiMessages().tableOf(name)}>
      <div class="wrap gap-3 table-card-top">
        <a class="table-card-code" href={table.url} target="_blank" rel="noopener">
          <QrCode text={table.url} label={words.qr(name)} />
        </a>
        <div>
          <h2>{name}</h2>
          <State table={table} ordered={ordered} />
        </div>
      </div>
      {asking === null ? (
        <>
          <p class={isFresh ? 'manager-warning' : 'dim'}>
            {isFresh ? words.printIt(formatTime(table.rotated_at)) : words.codeSince(formatDay(table.rotated_at))}
          </p>
          <div class="wrap gap-2 table-card-buttons">
            <Button size="small" aria-label={words.printOf(name)} onClick={onPrint}>
              {words.print}
            </Button>
            <IconButton
              label={words.moreOf(name)}
              aria-expanded={isMoreOpen}
              onClick={() => setIsMoreOpen(!isMoreOpen)}
            >
              <span aria-hidden="true">…</span>
            </IconButton>
          </div>
          {/* Away from "Print": a new code makes the printed one useless. */}
          {isMoreOpen && (
            <div class="wrap gap-2 table-card-buttons table-card-more">
              <Button size="small" aria-label={words.newCodeOf(name)} onClick={() => setAsking('replace')}>
                {words.newCode}
              </Button>
              <Button
                size="small"
                icon={<Icon name="trash" size={20} />}
                aria-label={words.removeOf(name)}
                onClick={() => setAsking('remove')}
              >
                {words.remove}
              </Button>
            </div>
          )}
        </>
      ) : (
        <Ask
          question={asking === 'replace' ? words.replaceAsk : words.removeAsk(name)}
          yes={asking === 'replace' ? words.replace : words.remove}
          no={words.keep}
          kind={asking === 'replace' ? 'primary' : 'danger'}
          wordsOf={managerFailureWords}
          onYes={yes}
          onClose={() => setAsking(null)}
        >
          <p>{asking === 'replace' ? words.replaceHint : words.removeHint}</p>
        </Ask>
      )}
    </article>
  );
}

/** Shows whether guests sit at the table, and what they owe. */
function State({ table, ordered }: Pick<TableCardProps, 'table' | 'ordered'>) {
  const words = managerMessages().tables;
  const found = ordered && {
    ...billOf(table, ordered.orders),
    bills: ordered.bills.filter((bill) => isAt(table, bill)),
  };
  const hasOrders = found !== null && (found.orders.length > 0 || found.bills.length > 0);
  return (
    <>
      {table.seating !== null && <span>{words.seated}</span>}
      {table.status === 'to_clean' && <span>{seatingMessages().toClean}</span>}
      {table.status === 'free' && !hasOrders && <span class="table-free">{words.free}</span>}
      {hasOrders && (
        <>
          <span>{words.openOrders(found.openCount)}</span>
          <strong>{formatMoney(sumOf(found.bills.map(({ remaining: total }) => ({ total }))), found.currency)}</strong>
        </>
      )}
    </>
  );
}

/** Returns true if the bill belongs to the guests at this table, or to the table itself if it has no guests. */
const isAt = ({ table, seating }: Table, bill: Bill): boolean =>
  bill.seating === null ? bill.table === table : bill.seating === seating;
