import type { Client } from '@comanda/client/core';
import type { DayReport } from '@comanda/contracts/day';
import { Field } from '@comanda/ui/field.tsx';
import { formatDay, formatMoney, formatTime } from '@comanda/ui/format.ts';
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { currencyOf } from '../restaurant.ts';
import { differenceOf, differenceText } from '../cash/difference.ts';
import { nameIn } from '../../cash/drawer-name.ts';
import type { ManagerSession } from '../manager-session.ts';
import { PagedList } from '../paged-list.tsx';
import { useFresh } from '../use-fresh.ts';
import { usePages } from '../use-pages.ts';
import { formatDayName } from './day-name.ts';
import './days-page.css';
import { DownloadForm } from './download-form.tsx';
import { todayMessages } from './messages.ts';

const pageSize = 30;
/** The contract's module with this number would add a validation library. */
const maxDays = 92;

type DaysPageProps = { client: Client; session: ManagerSession };

/** Lists the closed days, newest first, each with its report. Downloads reports of several days. */
export function DaysPage({ client, session }: DaysPageProps) {
  const words = todayMessages().days;
  const [date, setDate] = useState('');
  // Until they are loaded, and if they can't be, their names in the API are shown.
  const { value: drawers } = useFresh(() => client.calls.listCashDrawers(), null);
  return (
    <>
      <div class="manager-head">
        <h1>{todayMessages().pastDays}</h1>
        <p>{words.hint}</p>
      </div>
      <div class="stack gap-4 days">
        <div class="stack gap-4 days-list">
          <Field label={words.date} type="date" autocomplete="off" value={date} onInput={setDate} />
          {/* Another date is another list. */}
          <Days
            key={date}
            client={client}
            date={date}
            drawers={drawers ?? []}
            currency={currencyOf(session.restaurant)}
          />
        </div>
        <Downloads client={client} />
      </div>
    </>
  );
}

type Drawers = Parameters<typeof nameIn>[0];
type DaysProps = { client: Client; date: string; drawers: Drawers; currency: string };

function Days({ client, date, drawers, currency }: DaysProps) {
  const words = todayMessages().days;
  const days = usePages<DayReport>(
    () => client.pages('listDays', { ...(date !== '' && { date }), limit: pageSize }),
    pageSize,
  );
  return (
    <PagedList list={days} empty={date === '' ? words.none : words.noneOn}>
      {(items) => (
        <table class="manager-table manager-rows days-table" aria-label={todayMessages().pastDays}>
          <thead>
            <tr>
              <th scope="col">{words.day}</th>
              <th scope="col">{words.closed}</th>
              <th scope="col">{words.sales}</th>
              <th scope="col">{words.difference}</th>
            </tr>
          </thead>
          <tbody>
            {items.map((day) => (
              <DayRow key={day.number} day={day} drawers={drawers} currency={currency} />
            ))}
          </tbody>
        </table>
      )}
    </PagedList>
  );
}

type DayRowProps = { day: DayReport; drawers: Drawers; currency: string };

function DayRow({ day, drawers, currency }: DayRowProps) {
  const words = todayMessages();
  const { number, business_date: date, closed_at: at, closed_by: by, sales } = day;
  return (
    <tr>
      <th scope="row">
        <a href={`#/manager/today/${number}`}>
          <span>{formatDayName(date)}</span>
          <span class="dim">{words.day.title(number)}</span>
        </a>
      </th>
      <td>
        <span class="dim manager-label">{words.days.closed} </span>
        {words.days.by(`${formatDay(at)}, ${formatTime(at)}`, by.name)}
      </td>
      <td>
        <span class="dim manager-label">{words.days.sales} </span>
        {formatMoney(sales.total, currency)}
      </td>
      <td>
        <span class="dim manager-label">{words.days.difference} </span>
        <Differences of={day} drawers={drawers} currency={currency} />
      </td>
    </tr>
  );
}

type DifferencesProps = { of: DayReport; drawers: Drawers; currency: string };

/** What the counts of a day have found, for each cash drawer: what is over in one is not what is missing in another. */
function Differences({ of: day, drawers, currency }: DifferencesProps) {
  const found = day.cash_drawers.flatMap(({ name, counts }) => {
    const difference = differenceOf(counts);
    return difference === null ? [] : [{ name, difference }];
  });
  if (found.length === 0) return '–';
  const off = found.filter(({ difference }) => difference !== '0.00');
  if (off.length === 0) return todayMessages().days.matches;
  return off.map(({ name, difference }, index) => (
    <Fragment key={name}>
      {index > 0 && <br />}
      {day.cash_drawers.length > 1 && `${nameIn(drawers, name)}: `}
      {differenceText(difference, currency)}
    </Fragment>
  ));
}

/** Downloads the reports of the days between two dates. */
function Downloads({ client }: { client: Client }) {
  const words = todayMessages().download;
  const [dates, setDates] = useState({ from: '', to: '' });
  const [invalid, setInvalid] = useState<string | undefined>(undefined);
  async function find(): Promise<{ from: DayReport; to: DayReport } | null> {
    const found: DayReport[] = [];
    for await (const page of client.pages('listDays', { limit: 100 })) {
      for (const day of page)
        if (day.business_date >= dates.from && (dates.to === '' || day.business_date <= dates.to)) found.push(day);
      if (page.some(({ business_date: date }) => date < dates.from) || found.length > maxDays) break;
    }
    setInvalid(found.length === 0 ? words.none : found.length > maxDays ? words.tooMany(maxDays) : undefined);
    const [to, from] = [found[0], found.at(-1)];
    return from && to && found.length <= maxDays ? { from, to } : null;
  }
  const change = (part: Partial<typeof dates>): void => {
    setDates({ ...dates, ...part });
    setInvalid(undefined);
  };
  return (
    <DownloadForm client={client} days={find}>
      <Field
        label={words.from}
        type="date"
        autocomplete="off"
        error={invalid}
        value={dates.from}
        onInput={(from) => change({ from })}
      />
      <Field label={words.to} type="date" autocomplete="off" value={dates.to} onInput={(to) => change({ to })} />
    </DownloadForm>
  );
}
