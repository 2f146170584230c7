import type { RunningDay } from '@comanda/contracts/day';
import { formatMoney } from '@comanda/ui/format.ts';
import { Button } from '@comanda/ui/button.tsx';
import { uiMessages } from '@comanda/ui/messages.ts';
import { useState } from 'preact/hooks';
import { todayMessages } from './messages.ts';
import { messages } from '../../messages.ts';
import './open-bills.css';

const shownAtFirst = 8;

type OpenBillsProps = {
  day: Pick<RunningDay, 'open_bills' | 'open_bill_count'>;
  nowMs: number;
  currency: string;
};

/** Lists the open bills, oldest first. */
export function OpenBills({ day: { open_bills: bills, open_bill_count: count }, nowMs, currency }: OpenBillsProps) {
  const words = todayMessages().open;
  const [isAll, setIsAll] = useState(false);
  if (bills.length === 0) return <p class="dim">{words.none}</p>;
  const shown = isAll ? bills : bills.slice(0, shownAtFirst);
  return (
    <>
      <ul class="open-bills">
        {shown.map(({ id, table, created_at: at, remaining }) => (
          <li key={id}>
            <a href={`#/waiter/bill/${id}`}>
              <span>{table === null ? messages().ticket.noTable : uiMessages().tableOf(table)}</span>
              <span class="dim">
                {words.since(words.minutes(Math.max(0, Math.floor((nowMs - Date.parse(at)) / 60_000))))}
              </span>
            </a>
            <b>{remaining === '0.00' ? words.paid : formatMoney(remaining, currency)}</b>
          </li>
        ))}
      </ul>
      {bills.length > shown.length && (
        <Button kind="quiet" size="small" onClick={() => setIsAll(true)}>
          {words.all(bills.length)}
        </Button>
      )}
      {isAll && count > bills.length && <p class="dim">{words.more(count - bills.length)}</p>}
    </>
  );
}
