import type { Client } from '@comanda/client/core';
import type { CashCount, CashDrawer } from '@comanda/contracts/cash-drawers';
import type { RunningDay } from '@comanda/contracts/day';
import type { Exception } from '@comanda/contracts/exceptions';
import { formatUntil } from '@comanda/ui/format.ts';
import { mainDrawer } from '../../cash/drawer-name.ts';
import { DrawerCount } from '../cash/drawer-count.tsx';
import { currencyOf } from '../restaurant.ts';
import { Failure } from '../failure.tsx';
import { LoadingRows } from '../../loading/loading-rows.tsx';
import type { ManagerSession } from '../manager-session.ts';
import { Panel } from '../panel.tsx';
import { formatDayName } from '../today/day-name.ts';
import { OpenBills } from '../today/open-bills.tsx';
import { useFresh } from '../use-fresh.ts';
import { CloseDay } from './close-day.tsx';
import './closing-page.css';
import { DayExceptions } from './day-exceptions.tsx';
import { closingMessages } from './messages.ts';

/** The list of all is on another page. */
const shownExceptions = 5;

type ClosingPageProps = { client: Client; session: ManagerSession };
/** The running day, and the cash drawers that count for its closing with their counts, newest first. */
export type ToClose = {
  day: RunningDay;
  drawers: readonly CashDrawer[];
  shown: readonly { drawer: CashDrawer; counts: readonly CashCount[] }[];
  /** The newest exceptions of the day. */
  exceptions: readonly Exception[];
};

/** Loads what a closing needs. The main cash drawer is always shown, and others if cash moved in this day. */
async function load({ calls }: Client): Promise<ToClose> {
  // oxlint-disable-next-line no-restricted-properties -- a call of the API
  const [day, drawers] = await Promise.all([calls.getDay(), calls.listCashDrawers()]);
  const openedAtMs = Date.parse(day.opened_at);
  const used = drawers.filter(
    ({ name, status, moved, counted_at: countedAt }) =>
      status === 'active' &&
      (name === mainDrawer || moved || (countedAt !== null && Date.parse(countedAt) >= openedAtMs)),
  );
  const shown = await Promise.all(
    used.map(async (drawer) => ({ drawer, counts: await calls.listCounts({ name: drawer.name, limit: 50 }) })),
  );
  const mainFirst = shown.sort((a, b) => Number(b.drawer.name === mainDrawer) - Number(a.drawer.name === mainDrawer));
  const exceptions = await calls.listExceptions({ since: day.opened_at, limit: shownExceptions });
  return { day, drawers, shown: mainFirst, exceptions };
}

/** Says what is left to do with the open bills: paid ones are only to be closed. */
function carryText({ open_bills: bills, open_bill_count: count }: RunningDay): string {
  const words = closingMessages().bills;
  const areAllPaid = bills.length === count && bills.every(({ remaining }) => remaining === '0.00');
  return areAllPaid ? words.carryPaid(count) : words.carry(count);
}

/** Closes the day: open bills, blind counts, a note and the PIN. */
export function ClosingPage({ client, session }: ClosingPageProps) {
  const words = closingMessages();
  const { value, failure, reload } = useFresh(() => load(client));
  const currency = currencyOf(session.restaurant);
  const nowMs = session.now.value;
  return (
    <div class="manager-narrow closing">
      <div class="manager-head">
        <h1>{words.title}</h1>
        {value && (
          <p>
            {words.day(value.day.number, formatDayName(value.day.business_date))}
            <br />
            {words.open(formatUntil(value.day.opened_at, nowMs))}
          </p>
        )}
      </div>
      <Failure of={failure} onRetry={() => void reload()} />
      {value === null && failure === null && <LoadingRows />}
      {value && (
        <>
          <Panel title={words.bills.title}>
            {value.day.open_bill_count === 0 ? (
              <p class="dim">{words.bills.none}</p>
            ) : (
              <>
                <p>{carryText(value.day)}</p>
                <OpenBills day={value.day} nowMs={nowMs} currency={currency} />
              </>
            )}
          </Panel>
          <h2 class="manager-subtitle">{words.cash.title}</h2>
          <p class="dim">{words.cash.hint}</p>
          {value.shown.map(({ drawer, counts }) => (
            <DrawerCount
              key={drawer.name}
              client={client}
              drawer={drawer}
              drawers={value.drawers}
              counts={counts}
              runningDay={value.day.number}
              currency={currency}
              onChanged={() => void reload()}
            />
          ))}
          <DayExceptions of={value.exceptions} openedAt={value.day.opened_at} currency={currency} />
          <CloseDay client={client} session={session} toClose={value} reload={reload} />
        </>
      )}
    </div>
  );
}
