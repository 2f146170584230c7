import { defaultCurrency } from '@comanda/contracts/rules';
import type { Bill } from '@comanda/contracts/bills';
import type { Exception } from '@comanda/contracts/exceptions';
import { Button } from '@comanda/ui/button.tsx';
import { formatMoney, formatTime } from '@comanda/ui/format.ts';
import { useState } from 'preact/hooks';
import type { Evening } from './follow-evening.ts';
import { managerMessages } from '../messages.ts';
import { takesNow } from './takes-now.ts';
import './taken-off.css';

/** One row of the list: an exception, or a closed bill with a total of 0.00. */
type Row = Pick<Exception, 'at' | 'bill_id' | 'name' | 'amount' | 'by' | 'reason'> & {
  key: string;
  kind: Exception['kind'] | 'closed';
};

const shownAtFirst = 30;

/** Lists the exceptions since the evening started, with who, what, how much and why. Only a title until they are loaded. */
export function TakenOff({ evening }: { evening: Evening }) {
  const words = managerMessages().evening.takenOff;
  const [isAll, setIsAll] = useState(false);
  const { exceptions: read, failure } = evening.takenOff;
  const exceptions = read.value;
  const bills = new Map(evening.bills.value.map((bill) => [bill.id, bill]));
  const title = <h2 class="manager-subtitle">{words.title}</h2>;
  // After a failure, the message above says why the list is missing.
  if (exceptions === null) return failure.value === null ? null : title;
  const empty = evening.bills.value.flatMap((bill) => emptyRow(bill, evening.sinceMs));
  const listed = exceptions.map((each): Row => ({ ...each, key: String(each.id) }));
  const rows = [...listed, ...empty].sort((a, b) => b.at.localeCompare(a.at));
  const currency = evening.bills.value[0]?.currency ?? defaultCurrency;
  return (
    <>
      {title}
      {rows.length === 0 && <p class="manager-dim">{words.none}</p>}
      {rows.length > 0 && (
        <ul class="taken-off" aria-label={words.title}>
          {(isAll ? rows : rows.slice(0, shownAtFirst)).map((row) => (
            <Line key={row.key} {...{ row, bills, currency }} />
          ))}
        </ul>
      )}
      {!isAll && rows.length > shownAtFirst && (
        <Button size="small" onClick={() => setIsAll(true)}>
          {words.all(rows.length)}
        </Button>
      )}
    </>
  );
}

/** Returns the row for a closed bill with a total of 0.00. It doesn't say who closed the bill; only the bill's history does. */
function emptyRow({ id, status, total, closed_at: at }: Bill, sinceMs: number): Row | [] {
  if (status !== 'closed' || total !== '0.00' || at === null || Date.parse(at) < sinceMs) return [];
  return { key: `bill ${id}`, kind: 'closed', at, bill_id: id, name: null, amount: total, by: null, reason: null };
}

type LineProps = { row: Row; bills: ReadonlyMap<number, Bill>; currency: string };

function Line({ row, bills, currency }: LineProps) {
  const words = managerMessages().evening;
  const { kind, at, bill_id: billId, name, amount, by, reason } = row;
  const bill = bills.get(billId ?? 0);
  const table = bill?.table ?? null;
  const isClosed = kind === 'closed';
  const now = bill ? takesNow(kind, bill) : null;
  // For every other kind, a missing reason isn't worth mentioning: it takes none, or always has one.
  const why = reason === null && kind === 'item_cancelled' ? words.takenOff.noReason : reason;
  return (
    <li>
      <b>
        {words.takenOff.kinds[kind] ?? kind}
        {name !== null && (
          <>
            {' · '}
            <bdi>{name}</bdi>
          </>
        )}
      </b>
      <b class="taken-off-amount">{formatMoney(amount, currency)}</b>
      <span>
        {formatTime(at)}
        {!isClosed && (
          <>
            {' · '}
            <bdi>{by?.name ?? words.takenOff.guest}</bdi>
          </>
        )}
        {why !== null && (
          <>
            {' · '}
            <bdi>{why}</bdi>
          </>
        )}
        {now !== null && now !== amount && ` · ${words.takenOff.now(kind, formatMoney(now, currency))}`}
      </span>
      {billId !== null && (
        <a href={`#/waiter/bill/${billId}`}>{table === null ? words.takenOff.bill(billId) : words.table(table)}</a>
      )}
    </li>
  );
}
