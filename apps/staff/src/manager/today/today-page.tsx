import type { Client } from '@comanda/client/core';
import { stations as allStations } from '@comanda/client/collections/stations';
import { localHour } from '@comanda/contracts/restaurant-clock';
import { defaultCurrency } from '@comanda/contracts/rules';
import { formatTime } from '@comanda/ui/format.ts';
import { restaurantClock } from '@comanda/ui/restaurant-time.ts';
import { useCollection } from '@comanda/ui/use-collection.ts';
import { mainDrawer } from '../../cash/drawer-name.ts';
import { onDeviceLater } from '../../on-device-later.ts';
import { OpeningList } from '../day/opening-list.tsx';
import { Failure } from '../failure.tsx';
import { LoadingRows } from '../../loading/loading-rows.tsx';
import type { ManagerSession } from '../manager-session.ts';
import { Panel } from '../panel.tsx';
import { useFresh } from '../use-fresh.ts';
import { formatDayName, weekdayOf } from './day-name.ts';
import { FiguresView } from './figures-view.tsx';
import { todayMessages } from './messages.ts';
import { OpenBills } from './open-bills.tsx';
import './today-page.css';
import { Warnings } from './warnings.tsx';
import { managerMessages } from '../messages.ts';

type TodayPageProps = { client: Client; session: ManagerSession };

/** The managers' home page: what needs attention, and the running day's figures as charts. */
export function TodayPage({ client, session }: TodayPageProps) {
  const words = todayMessages();
  const { value, failure, reload } = useFresh(async () => {
    // oxlint-disable-next-line no-restricted-properties -- a call of the API
    const [figures, day] = await Promise.all([client.calls.getDayFigures(), client.calls.getDay()]);
    // Later, a drawer that was never counted is one that takes no cash.
    const drawers = day.number === 1 ? await client.calls.listCashDrawers() : [];
    const isFloatUncounted = drawers.some(({ name, counted_at: at }) => name === mainDrawer && at === null);
    return { figures, day, isFloatUncounted, atMs: client.now() };
  });
  const stations = useCollection(client, allStations).rows.value;
  const nowMs = session.now.value;
  const currency = session.restaurant.settings.value?.currency ?? defaultCurrency;
  return (
    <>
      <div class="manager-head today-head">
        <h1>{managerMessages().nav.today}</h1>
        <p>
          {value && formatDayName(value.day.business_date)}
          {value && <span class="today-updated">{words.updated(formatTime(value.atMs))}</span>}
        </p>
        <a class="button button-secondary button-small" href="#/manager/today/days">
          {words.pastDays}
        </a>
        <a class="button button-primary button-small" href="#/manager/today/close">
          {words.closeDay}
        </a>
      </div>
      <OpeningList client={client} session={session} />
      <Warnings
        client={client}
        session={session}
        day={value?.day ?? null}
        isFloatUncounted={value?.isFloatUncounted === true && onDeviceLater.openingList.signal.value === 'hidden'}
      />
      <Failure of={failure} onRetry={() => void reload()} />
      {value === null && failure === null && <LoadingRows />}
      {value && (
        <FiguresView
          figures={value.figures}
          weekday={weekdayOf(value.day.business_date)}
          untilHour={value.day.overdue ? null : localHour(nowMs, restaurantClock.value.timeZone)}
          isRunning
          hasUncounted={value.day.cash_drawers.some(({ moved }) => moved)}
          stations={stations}
          currency={currency}
          ofDay={{ since: value.day.opened_at }}
        >
          <Panel title={words.openBills}>
            <OpenBills day={value.day} nowMs={nowMs} currency={currency} />
          </Panel>
        </FiguresView>
      )}
    </>
  );
}
