import { groupBy } from '@comanda/contracts/collections';
import type { Client, LiveOrder } from '@comanda/client/core';
import { orderStations, unseenStations } from '@comanda/contracts/order-stations';
import { startOfBusinessDay } from '@comanda/contracts/restaurant-clock';
import { useEffect, useState } from 'preact/hooks';
import { formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { language } from '@comanda/ui/language.ts';
import { restaurantClock } from '@comanda/ui/restaurant-time.ts';
import { Failure } from '../failure.tsx';
import type { ManagerSession } from '../manager-session.ts';
import { managerMessages } from '../messages.ts';
import { ScreensNow } from './screens-now.tsx';
import './screens-page.css';
import { TabletsSection } from './tablets-section.tsx';
import { takeLatest } from '../take-latest.ts';

/** Lists the screens that are on, the shared tablets, and which screens were the first to show today's orders. */
export function ScreensPage({ client, session }: { client: Client; session: ManagerSession }) {
  const words = managerMessages().screens;
  const { orders, failure } = useOrdersOfToday(client, session.seenCount.value);
  const screens = orders && screensOf(orders);
  return (
    <div class="manager-narrow">
      <div class="manager-head">
        <h1>{managerMessages().nav.screens}</h1>
      </div>
      <ScreensNow client={client} />
      <TabletsSection client={client} session={session} />
      <h2 class="manager-subtitle">{words.first}</h2>
      <p class="dim">{words.honest}</p>
      <Failure of={failure} />
      {screens && (
        <table class="manager-table manager-rows">
          <thead>
            <tr>
              <th scope="col">{words.device}</th>
              <th scope="col">{words.firstShown}</th>
              <th scope="col">{words.last}</th>
            </tr>
          </thead>
          <tbody>
            {screens.length === 0 && (
              <tr>
                <td colSpan={3}>{words.none}</td>
              </tr>
            )}
            {screens.map(({ device, count, lastAt }) => (
              <tr key={device}>
                <th scope="row">{device}</th>
                <td>
                  <span class="dim manager-label">{words.firstShown} </span>
                  {count}
                </td>
                <td>
                  <span class="dim manager-label">{words.last} </span>
                  {formatTimeWithSeconds(lastAt)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h2 class="manager-subtitle">{words.today}</h2>
      {orders && <Figures orders={orders} />}
    </div>
  );
}

type Screen = { device: string; count: number; lastAt: string };

/** Returns the screens that were the first at their station to show any of these orders, most recent first. */
function screensOf(orders: readonly LiveOrder[]): readonly Screen[] {
  const byDevice = groupBy(orders.flatMap(firstShownOf), ({ device }) => device);
  return [...byDevice]
    .map(([device, own]) => ({
      device,
      count: own.length,
      lastAt:
        own
          .map(({ lastAt }) => lastAt)
          .sort()
          .at(-1) ?? '',
    }))
    .sort((a, b) => b.lastAt.localeCompare(a.lastAt));
}

/**
 * Returns the screens that were the first at a station to show this order, and when. A screen for several stations appears only
 * once.
 */
function firstShownOf(order: LiveOrder): Omit<Screen, 'count'>[] {
  const shown = orderStations(order).flatMap(({ seen_at: at, seen_on: device }) =>
    at !== null && device !== null ? [[device, { device, lastAt: at }] as const] : [],
  );
  return [...new Map(shown).values()];
}

function useOrdersOfToday(client: Client, changed: unknown) {
  const [orders, setOrders] = useState<readonly LiveOrder[] | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [ask] = useState(() => takeLatest(setOrders));
  const clock = restaurantClock.value;
  useEffect(() => {
    async function read(): Promise<void> {
      const from = new Date(startOfBusinessDay(client.now(), clock)).toISOString();
      const all: LiveOrder[] = [];
      const take = ask();
      try {
        for await (const page of client.pages('listOrders', { from, limit: 200 })) all.push(...page);
        take(all);
        setFailure(null);
      } catch (error) {
        setFailure(error);
      }
    }
    void read();
  }, [client, changed, ask, clock]);
  return { orders, failure };
}

/** Shows how many of today's orders were shown at all their stations, how many were not, and the longest wait until then. */
function Figures({ orders }: { orders: readonly LiveOrder[] }) {
  const words = managerMessages().screens;
  const waits = orders.flatMap(({ created_at: from, seen_at: at }) =>
    at === null ? [] : Date.parse(at) - Date.parse(from),
  );
  const unseen = orders.filter((order) => unseenStations(order).length > 0).length;
  const inSeconds = (ms: number): string =>
    words.seconds(new Intl.NumberFormat(language.value, { maximumFractionDigits: 1 }).format(ms / 1_000));
  return (
    <dl class="manager-figures">
      <div>
        <dt>{words.placed}</dt>
        <dd>{orders.length}</dd>
      </div>
      <div>
        <dt>{words.shown}</dt>
        <dd>{waits.length}</dd>
      </div>
      <div>
        <dt>{words.unseen}</dt>
        <dd class={unseen > 0 ? 'manager-warning' : undefined}>{unseen}</dd>
      </div>
      {waits.length > 0 && (
        <div>
          <dt>{words.slowest}</dt>
          <dd>{inSeconds(Math.max(...waits))}</dd>
        </div>
      )}
    </dl>
  );
}
