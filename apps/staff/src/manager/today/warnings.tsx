import type { Client } from '@comanda/client/core';
import { ordersWith } from '@comanda/client/collections/orders';
import { stations as allStations } from '@comanda/client/collections/stations';
import type { RunningDay } from '@comanda/contracts/day';
import { defaultStation } from '@comanda/contracts/rules';
import { formatUntil } from '@comanda/ui/format.ts';
import { Icon, type IconName } from '@comanda/ui/icon.tsx';
import { useCollection } from '@comanda/ui/use-collection.ts';
import { uiMessages } from '@comanda/ui/messages.ts';
import { useEffect, useState } from 'preact/hooks';
import { limitsOf } from '../../bumps/station-rules.ts';
import { formatAge } from '../../bumps/ticket.ts';
import { followCalls, type FollowedCalls } from '../../calls/follow-calls.ts';
import { callMessages, wishOf } from '../../calls/messages.ts';
import { unseenOrders } from '../../waiter/by-table.ts';
import type { ManagerSession } from '../manager-session.ts';
import { useFresh } from '../use-fresh.ts';
import { formatDayName } from './day-name.ts';
import { todayMessages } from './messages.ts';
import { screensOff } from './screens-off.ts';
import './warnings.css';

const lateCallAfterMs = 180_000;
const openOrders = ordersWith(['received', 'preparing', 'ready']);

type Warning = { key: string; icon: IconName; text: string; more?: string; href?: string };
type WarningsProps = {
  client: Client;
  session: ManagerSession;
  day: RunningDay | null;
  /** True if the main cash drawer was never counted. */
  isFloatUncounted: boolean;
};

/** What needs a manager now, such as late orders and calls that no waiter takes. Nothing if all is well. */
export function Warnings({ client, session, day, isFloatUncounted }: WarningsProps) {
  const warnings = [
    ...ofRestaurant({ session, day, isFloatUncounted }),
    ...useOfOrders(client, session),
    ...useOfScreens(client, { session, day }),
    ...useOfCalls(client, session),
  ];
  if (warnings.length === 0) return null;
  return (
    <ul class="warnings" aria-label={todayMessages().warnings.title}>
      {warnings.map(({ key, icon, text, more, href }) => (
        <li key={key}>
          <Icon name={icon} />
          <span>
            {href === undefined ? text : <a href={href}>{text}</a>}
            {more !== undefined && <span class="warnings-more">{more}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

function ofRestaurant({ session, day, isFloatUncounted }: Omit<WarningsProps, 'client'>): Warning[] {
  const words = todayMessages().warnings;
  const pausedUntil = session.ordering.pausedUntil.value;
  return [
    ...(day?.overdue
      ? [
          {
            key: 'overdue',
            icon: 'clock' as const,
            text: words.overdue(formatDayName(day.business_date)),
            href: '#/manager/today/close',
          },
        ]
      : []),
    ...(isFloatUncounted
      ? [{ key: 'float', icon: 'warning' as const, text: words.float, href: '#/manager/cash' }]
      : []),
    ...(pausedUntil !== null
      ? [
          {
            key: 'paused',
            icon: 'pause' as const,
            text: words.paused(formatUntil(pausedUntil, session.now.value)),
            href: '#/manager/ordering',
          },
        ]
      : []),
  ];
}

function useOfOrders(client: Client, session: ManagerSession): Warning[] {
  const words = todayMessages().warnings;
  const orders = useCollection(client, openOrders).rows.value;
  const stations = useCollection(client, allStations).rows.value;
  const nowMs = session.now.value;
  const categoryOf = Object.fromEntries((session.menu.dishes.value ?? []).map(({ id, category }) => [id, category]));
  const limits = session.restaurant.settings.value?.category_limits ?? [];
  const late = orders.filter(({ items, created_at: at }) => {
    const open = items.filter(({ status }) => status === 'received' || status === 'preparing');
    const { lateMs } = limitsOf({ stations, taps: defaultStation.bumps }, open, { limits, categoryOf });
    return open.length > 0 && nowMs - Date.parse(at) >= lateMs;
  });
  const unseen = unseenOrders(orders, nowMs);
  const oldest = (some: readonly { created_at: string }[]): string =>
    words.oldest(formatAge(nowMs - Math.min(...some.map(({ created_at: at }) => Date.parse(at)))));
  return [
    ...(unseen.length > 0
      ? [
          {
            key: 'unseen',
            icon: 'noNetwork' as const,
            text: words.unseen(unseen.length),
            more: oldest(unseen.map(({ order }) => order)),
            href: '#/manager/screens',
          },
        ]
      : []),
    ...(late.length > 0
      ? [{ key: 'late', icon: 'warning' as const, text: words.late(late.length), more: oldest(late), href: '#/board' }]
      : []),
  ];
}

/** Kitchen screens that went off in this day, and whose orders no other screen shows. */
function useOfScreens(client: Client, { session, day }: Pick<WarningsProps, 'session' | 'day'>): Warning[] {
  const words = todayMessages().warnings;
  // If they can't be loaded, there is nothing to warn of: the page of screens says so.
  const { value: screens } = useFresh(() => client.calls.listScreens());
  const off = day === null ? [] : screensOff(screens ?? [], day.opened_at);
  if (off.length === 0) return [];
  const textOf = ({ screen, station, reported_at: at }: (typeof off)[number]): string =>
    [screen, station, words.since(formatUntil(at, session.now.value))].filter(Boolean).join(' · ');
  return [
    {
      key: 'screens',
      icon: 'noNetwork',
      text: words.screensOff(off.length),
      more: off.map(textOf).join('\n'),
      href: '#/manager/screens',
    },
  ];
}

/** Calls that have waited 3 minutes without a waiter accepting them, oldest first. */
function useOfCalls(client: Client, session: ManagerSession): Warning[] {
  const words = todayMessages().warnings;
  const [calls, setCalls] = useState<FollowedCalls | null>(null);
  useEffect(() => {
    const opened = followCalls(client);
    setCalls(opened);
    return opened.close;
  }, [client]);
  const late = (calls?.waiting.value ?? []).filter(
    ({ status, created_at: at }) => status === 'open' && session.now.value - Date.parse(at) >= lateCallAfterMs,
  );
  if (late.length === 0) return [];
  const textOf = (call: (typeof late)[number]): string =>
    [
      call.table === null ? callMessages().noTable : uiMessages().tableOf(call.table),
      wishOf(call),
      formatAge(session.now.value - Date.parse(call.created_at)),
    ].join(' · ');
  return [
    { key: 'calls', icon: 'bell', text: words.calls(late.length), more: late.map(textOf).join('\n'), href: '#/waiter' },
  ];
}
