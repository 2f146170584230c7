import type { Client } from '@comanda/client/core';
import { stations as allStations } from '@comanda/client/collections/stations';
import { Button } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useCollection } from '@comanda/ui/use-collection.ts';
import { currencyOf } from '../restaurant.ts';
import { Failure } from '../failure.tsx';
import { LoadingRows } from '../../loading/loading-rows.tsx';
import type { ManagerSession } from '../manager-session.ts';
import { printOn } from '../paper.tsx';
import { formatDayName, weekdayOf } from '../today/day-name.ts';
import { DownloadForm } from '../today/download-form.tsx';
import { FiguresView } from '../today/figures-view.tsx';
import { todayMessages } from '../today/messages.ts';
import { useFresh } from '../use-fresh.ts';
import './day-page.css';
import { closingMessages } from './messages.ts';
import { ReportView } from './report-view.tsx';

type DayPageProps = { client: Client; session: ManagerSession; number: number; view: 'report' | 'charts' };

/** A closed day: its report, and its charts. */
export function DayPage({ client, session, number, view }: DayPageProps) {
  const words = todayMessages().day;
  const { value, failure, reload } = useFresh(async () => {
    const [report, running, drawers] = await Promise.all([
      client.calls.getDayReport({ number }),
      // oxlint-disable-next-line no-restricted-properties -- a call of the API
      client.calls.getDay(),
      client.calls.listCashDrawers(),
    ]);
    return { report, last: running.number - 1, drawers };
  }, null);
  const path = `#/manager/today/${number}`;
  const tabs = { report: path, charts: `${path}/charts` } as const;
  return (
    <>
      <div class="manager-head">
        <h1>{words.title(number)}</h1>
        {value && <p>{formatDayName(value.report.business_date)}</p>}
      </div>
      <nav class="manager-chips day-links" aria-label={words.tabs}>
        {(['report', 'charts'] as const).map((each) => (
          <a
            key={each}
            href={tabs[each]}
            class={classNames('chip', each === view && 'chip-on')}
            aria-current={each === view ? 'page' : undefined}
          >
            {words[each]}
          </a>
        ))}
        {number > 1 && (
          <a class="chip" href={`#/manager/today/${number - 1}`}>
            <Icon name="back" size={20} /> {words.title(number - 1)}
          </a>
        )}
        {value && number < value.last && (
          <a class="chip" href={`#/manager/today/${number + 1}`}>
            {words.title(number + 1)} <Icon name="chevron" size={20} />
          </a>
        )}
        <a class="chip" href="#/manager/today/days">
          {todayMessages().pastDays}
        </a>
      </nav>
      <Failure of={failure} onRetry={() => void reload()} />
      {value === null && failure === null && <LoadingRows />}
      {value && view === 'report' && <Report client={client} session={session} {...value} />}
      {value && view === 'charts' && (
        <Charts client={client} session={session} number={number} date={value.report.business_date} />
      )}
    </>
  );
}

type ReportProps = Omit<DayPageProps, 'number' | 'view'> & {
  report: Parameters<typeof ReportView>[0]['report'];
  drawers: Parameters<typeof ReportView>[0]['drawers'];
};

function Report({ client, session, report, drawers }: ReportProps) {
  const words = closingMessages().report;
  const { number } = report;
  const waiters = useFresh(() => client.calls.getReport({ report: 'waiters', from: number, to: number }), null);
  const currency = currencyOf(session.restaurant);
  // Paper without the waiters looks complete. If they can't be loaded, it says so.
  const isLoading = waiters.value === null && waiters.failure === null;
  const view = (
    <ReportView
      report={report}
      isWithoutWaiters={waiters.value === null && waiters.failure !== null}
      waiters={waiters.value as Parameters<typeof ReportView>[0]['waiters']}
      drawers={drawers}
      restaurant={session.restaurant.name.value}
      currency={currency}
    />
  );
  return (
    <div class="day-report">
      <div class="manager-pair">
        <Button kind="primary" size="small" aria-disabled={isLoading} onClick={() => printOn('a4', view)}>
          {words.a4}
        </Button>
        <Button size="small" aria-disabled={isLoading} onClick={() => printOn('roll', view)}>
          {words.roll}
        </Button>
      </div>
      <div class="day-report-paper">
        <Failure of={waiters.failure} onRetry={() => void waiters.reload()} />
        {view}
      </div>
      <DownloadForm client={client} days={{ from: report, to: report }} />
    </div>
  );
}

function Charts({ client, session, number, date }: Omit<DayPageProps, 'view'> & { date: string }) {
  const { value, failure, reload } = useFresh(() => client.calls.getDayFigures({ number }), null);
  const stations = useCollection(client, allStations).rows.value;
  return (
    <>
      <Failure of={failure} onRetry={() => void reload()} />
      {value === null && failure === null && <LoadingRows />}
      {value && (
        <FiguresView
          figures={value}
          weekday={weekdayOf(date)}
          untilHour={null}
          isRunning={false}
          hasUncounted={false}
          stations={stations}
          currency={currencyOf(session.restaurant)}
          ofDay={{ day: number }}
        />
      )}
    </>
  );
}
