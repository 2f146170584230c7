import type { Client } from '@comanda/client/core';
import { startOfBusinessDay } from '@comanda/contracts/restaurant-clock';
import { defaultCurrency } from '@comanda/contracts/rules';
import type { Bill } from '@comanda/contracts/bills';
import { useEffect, useState } from 'preact/hooks';
import { billMessages } from '@comanda/ui/bill/messages.ts';
import { formatMoney, formatTime } from '@comanda/ui/format.ts';
import { restaurantClock } from '@comanda/ui/restaurant-time.ts';
import { followCalls, type FollowedCalls } from '../../calls/follow-calls.ts';
import './evening-page.css';
import { Failure } from '../failure.tsx';
import { followEvening, type Evening } from './follow-evening.ts';
import { LateCalls } from './late-calls.tsx';
import { LoadingRows } from '../../loading/loading-rows.tsx';
import type { ManagerSession } from '../manager-session.ts';
import { managerMessages } from '../messages.ts';
import { OpeningList } from './opening-list.tsx';
import { TakenOff } from './taken-off.tsx';
import { takingsOf } from './takings.ts';

/** The managers' home page: calls that no waiter takes, open bills with their age, and today's takings and exceptions. */
export function EveningPage({ client, session }: { client: Client; session: ManagerSession }) {
  const words = managerMessages().evening;
  const sinceMs = startOfBusinessDay(session.now.value, restaurantClock.value);
  const [calls, setCalls] = useState<FollowedCalls | null>(null);
  useEffect(() => {
    const opened = followCalls(client);
    setCalls(opened);
    return opened.close;
  }, [client]);
  const [evening, setEvening] = useState<Evening | null>(null);
  useEffect(() => {
    const opened = followEvening(client, sinceMs);
    setEvening(opened);
    return opened.close;
  }, [client, sinceMs]);
  return (
    <div class="manager-narrow">
      <div class="manager-head">
        <h1>{words.title}</h1>
      </div>
      <OpeningList client={client} session={session} />
      <Failure of={evening?.failure.value ?? calls?.failure.value ?? null} />
      {calls && <LateCalls calls={calls} nowMs={session.now.value} />}
      {evening && (
        <>
          <OpenBills evening={evening} nowMs={session.now.value} />
          <Takings evening={evening} />
          <TakenOff evening={evening} />
        </>
      )}
    </div>
  );
}

/** Says that the data is loading. After a failure, shows nothing, because the message above says why. */
const Reading = ({ failure }: { failure: unknown }) => (failure === null ? <LoadingRows /> : null);

type OpenBillsProps = { evening: Evening; nowMs: number };

function OpenBills({ evening, nowMs }: OpenBillsProps) {
  const words = managerMessages().evening;
  const isRead = evening.isLoaded.value;
  const open = evening.bills.value
    .filter(({ status, lines }) => status === 'open' && lines.length > 0)
    .sort((a, b) => a.created_at.localeCompare(b.created_at));
  return (
    <>
      <h2 class="manager-subtitle">{isRead ? words.open(open.length) : words.openUnread}</h2>
      {isRead && open.length === 0 && <p class="manager-dim">{words.noneOpen}</p>}
      {!isRead && <Reading failure={evening.failure.value} />}
      {open.length > 0 && (
        <table class="manager-table manager-rows evening-table">
          <thead>
            <tr>
              <th scope="col">{words.bill}</th>
              <th scope="col">{words.since}</th>
              <th scope="col">{words.total}</th>
              <th scope="col">{words.left}</th>
            </tr>
          </thead>
          <tbody>
            {open.map((bill) => (
              <OpenBill key={bill.id} bill={bill} nowMs={nowMs} />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function OpenBill({ bill, nowMs }: { bill: Bill; nowMs: number }) {
  const words = managerMessages().evening;
  const { id, table, created_at: at, total, remaining, currency } = bill;
  const minutes = Math.max(0, Math.floor((nowMs - Date.parse(at)) / 60_000));
  return (
    <tr>
      <th scope="row">
        <a href={`#/waiter/bill/${id}`}>{table === null ? words.noTable : words.table(table)}</a>
      </th>
      <td>{words.minutes(minutes)}</td>
      <td>
        <span class="manager-label">{words.total} </span>
        {formatMoney(total, currency)}
      </td>
      {remaining === '0.00' ? (
        <td>{words.paid}</td>
      ) : (
        <td>
          <span class="manager-label">{words.left} </span>
          {formatMoney(remaining, currency)}
        </td>
      )}
    </tr>
  );
}

function Takings({ evening }: { evening: Evening }) {
  const words = managerMessages().evening;
  const bills = evening.bills.value;
  const currency = bills[0]?.currency ?? defaultCurrency;
  const isRead = evening.isLoaded.value;
  // A partial sum would look like the whole, so nothing is shown until all bills are loaded.
  const takings = isRead ? takingsOf(bills, evening.sinceMs) : [];
  return (
    <>
      <h2 class="manager-subtitle">{words.takings(formatTime(evening.sinceMs))}</h2>
      {isRead && takings.length === 0 && <p class="manager-dim">{words.nothingTaken}</p>}
      {!isRead && <Reading failure={evening.failure.value} />}
      <dl class="manager-figures">
        {takings.map(({ method, count, refunds, refunded, amount, tips }) => (
          <div key={method}>
            <dt>{billMessages().methods[method]}</dt>
            <dd>{formatMoney(amount, currency)}</dd>
            <dd class="evening-more">
              {words.payments(count)}
              {refunds > 0 && `, ${words.refunds(refunds, formatMoney(`-${refunded}`, currency))}`}
              {tips !== '0.00' && `, ${words.tips(formatMoney(tips, currency))}`}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
