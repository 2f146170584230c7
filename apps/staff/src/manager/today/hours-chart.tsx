import { formatMoney } from '@comanda/ui/format.ts';
import { shortMoney } from '../../waiter/short-money.ts';
import { roundUp, type Hour } from './day-figures.ts';
import './hours-chart.css';
import { todayMessages } from './messages.ts';

type HoursChartProps = {
  hours: readonly Hour[];
  /** 0 for Sunday, for the day to compare with; null if there is none. */
  weekdayBefore: number | null;
  isRunning: boolean;
  currency: string;
};

/** A column for each hour's sales, with a line at those of the same weekday before. The numbers are in a table below. */
export function HoursChart({ hours, weekdayBefore, isRunning, currency }: HoursChartProps) {
  const words = todayMessages().hours;
  const busiest = hours.reduce<Hour | null>(
    (best, each) => (Number(each.amount) > Number(best?.amount ?? 0) ? each : best),
    null,
  );
  if (hours.length === 0) return <p class="dim">{words.none}</p>;
  const top = roundUp(Math.max(...hours.flatMap(({ amount, before }) => [Number(amount), Number(before)])));
  const heightOf = (amount: string): string => `${((Math.max(0, Number(amount)) / top) * 100).toFixed(1)}%`;
  const summary = busiest
    ? (isRunning ? words.busiest : words.busiestOf)(busiest.hour, formatMoney(busiest.amount, currency))
    : words.none;
  return (
    <>
      <p class="wrap hours-head">
        {summary}
        {weekdayBefore !== null && (
          <span class="wrap hours-legend" aria-hidden="true">
            <span>{words.now}</span>
            <span class="hours-legend-before">{words.earlier(weekdayBefore)}</span>
          </span>
        )}
      </p>
      <div class="hours" aria-hidden="true">
        {[top, top / 2].map((line) => (
          <span key={line} class="hours-line" style={{ bottom: `${(line / top) * 100}%` }}>
            {line === top && shortMoney(line.toFixed(2), currency)}
          </span>
        ))}
        {hours.map(({ hour, amount, before }) => (
          <span key={hour} class="hours-column" title={`${hour}:00 · ${formatMoney(amount, currency)}`}>
            <span class="hours-bar" style={{ height: heightOf(amount) }} />
            {weekdayBefore !== null && <span class="hours-before" style={{ bottom: heightOf(before) }} />}
            <span class="hours-hour">{hour}</span>
          </span>
        ))}
      </div>
      <details class="hours-table">
        <summary>{words.table}</summary>
        <table class="manager-table">
          <thead>
            <tr>
              <th scope="col">{words.hour}</th>
              <th scope="col">{words.orders}</th>
              <th scope="col">{words.amount}</th>
              {weekdayBefore !== null && <th scope="col">{words.earlier(weekdayBefore)}</th>}
            </tr>
          </thead>
          <tbody>
            {hours.map(({ hour, orders, amount, before }) => (
              <tr key={hour}>
                <th scope="row">{hour}:00</th>
                <td>{orders}</td>
                <td>{formatMoney(amount, currency)}</td>
                {weekdayBefore !== null && <td>{formatMoney(before, currency)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}
