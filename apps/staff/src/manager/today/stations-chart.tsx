import type { FiguresBefore } from '@comanda/contracts/reports';
import { defaultStation } from '@comanda/contracts/rules';
import type { Station } from '@comanda/contracts/stations';
import { Icon } from '@comanda/ui/icon.tsx';
import { configuredAt } from '../../bumps/station-rules.ts';
import { stationName } from '../../shift/station-name.ts';
import './bar-table.css';
import { todayMessages } from './messages.ts';
import './stations-chart.css';

const minutesOf = (seconds: number): number => Math.round(seconds / 60);

type StationsChartProps = { rows: FiguresBefore['stations']; stations: readonly Station[] };

/** How long dishes took to be ready at each station: half of them, nine of ten, and the station's limit. */
export function StationsChart({ rows, stations }: StationsChartProps) {
  const words = todayMessages().stations;
  if (rows.length === 0) return <p class="dim">{words.none}</p>;
  const times = rows.map(({ station, median_seconds: median, p90_seconds: p90 }) => ({
    station,
    median: minutesOf(median),
    p90: minutesOf(p90),
    limit: (configuredAt(stations, station) ?? defaultStation).late_minutes,
  }));
  const longest = Math.max(...times.flatMap(({ p90, limit }) => [p90, limit]));
  const widthOf = (minutes: number): string => `${((minutes / longest) * 100).toFixed(1)}%`;
  return (
    <>
      <table class="bar-table" aria-label={words.title}>
        <thead>
          <tr class="visually-hidden">
            <th scope="col">{words.station}</th>
            <th scope="col">{words.times}</th>
          </tr>
        </thead>
        <tbody>
          {times.map(({ station, median, p90, limit }) => (
            <tr key={station}>
              <th scope="row">
                {stationName(station)}
                <span class="bar-table-more">
                  {words.p90(String(p90))}, {words.limit(limit)}
                </span>
                <span class="times">
                  <span class="bar times-p90" style={{ width: widthOf(p90) }} />
                  <span class="bar" style={{ width: widthOf(median) }} />
                  <span class="times-limit" style={{ left: widthOf(limit) }} />
                </span>
              </th>
              <td>
                {words.median(String(median))}
                {p90 > limit && (
                  <span class="row gap-1 times-over">
                    <Icon name="warning" size={20} /> {words.over}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="dim">{words.legend}</p>
    </>
  );
}
