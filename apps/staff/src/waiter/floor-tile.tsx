import { classNames } from '@comanda/ui/class-names.ts';
import { formatMoney } from '@comanda/ui/format.ts';
import { LateIcon } from '@comanda/ui/late-icon.tsx';
import { wishOf } from '../calls/messages.ts';
import type { FloorState, Spot } from './floor.ts';
import './floor-tile.css';
import { waiterMessages } from './messages.ts';
import { seatingMessages } from './seating-messages.ts';
import { shortMoney } from './short-money.ts';
import { uiMessages } from '@comanda/ui/messages.ts';
import type { TableCall } from '@comanda/contracts/calls';
import { Icon, IconPath } from '@comanda/ui/icon.tsx';

/** Formats a time as `8 min`, or as `2 h 08` from 100 minutes on. Both are the same in English and Portuguese. */
const shortAge = (minutes: number): string =>
  minutes < 100
    ? `${minutes}\u00a0min`
    : `${Math.floor(minutes / 60)}\u00a0h\u00a0${String(minutes % 60).padStart(2, '0')}`;

type FloorTileProps = { spot: Spot; /** The server's time in milliseconds. */ now: number };

/** A table on the floor: its name, how long its guests have been there, and what it owes. Colour and icon show its state. */
export function FloorTile({ spot, now }: FloorTileProps) {
  const { table, state, calls, orders, total, currency } = spot;
  // A table where only an order can be the next step leads to its dishes.
  const page = state === 'free' || state === 'ordering' ? 'order' : 'tables';
  return (
    <a href={`#/waiter/${page}/${table.table}`} class={`floor-tile floor-${state}`}>
      <span class="visually-hidden">{textOf(spot, now)}</span>
      <span class="row gap-1 floor-name" aria-hidden="true">
        <Name name={table.table} />
        <FloorIcon state={state} call={calls[0]} />
      </span>
      <Stay spot={spot} now={now} />
      {orders.length > 0 && (
        <b class="money" aria-hidden="true">
          {total === null ? '…' : shortMoney(total, currency)}
        </b>
      )}
    </a>
  );
}

/** The table's name, smaller if it is long. */
export const Name = ({ name }: { name: string }) => (
  <strong class={classNames(name.length > 3 && 'floor-name-long', name.length > 6 && 'floor-name-longest')}>
    {name}
  </strong>
);

/** How long the guests have been there, and how many they are or which table is joined. For a table without guests, why it has none. */
function Stay({ spot, now }: FloorTileProps) {
  const { state, table, joined, leftCount, openCount } = spot;
  const guests = spot.covers ?? spot.guests;
  const words = seatingMessages();
  const age = table.seated_at == null ? null : shortAge(minutesSince(table.seated_at, now));
  const text = {
    free: waiterMessages().tables.free,
    to_clean: words.toClean,
    unknown: age ?? '…',
  }[state as string];
  if (text !== undefined)
    return (
      <span class="floor-stay" aria-hidden="true">
        {text}
      </span>
    );
  return (
    <span class="floor-stay" aria-hidden="true">
      <span>{age ?? waiterMessages().tables.openOrders(openCount + leftCount)}</span>
      {joined.length > 0 && <span>+{joined.join('+')}</span>}
      {joined.length === 0 && age !== null && guests > 0 && (
        <span>
          <LateIcon name="account" size={16} /> {guests}
        </span>
      )}
    </span>
  );
}

const minutesSince = (at: string, now: number): number => Math.max(0, Math.floor((now - Date.parse(at)) / 60_000));

/** Returns what screen readers say for the tile. */
function textOf({ table, state, calls, orders, ...spot }: Spot, now: number): string {
  const { tables } = waiterMessages();
  const words = seatingMessages();
  const states = {
    free: tables.free,
    ordering: tables.noOrders,
    cooking: tables.openOrders(spot.openCount),
    ready: tables.readyOrders,
    served: tables.allServed,
    to_clean: words.toClean,
  };
  return [
    uiMessages().tableOf(table.table),
    ...calls.map(wishOf),
    state === 'paid' && words.paidFor(spot.paidAt === null ? null : minutesSince(spot.paidAt, now)),
    states[state as keyof typeof states] ?? (spot.openCount > 0 && tables.openOrders(spot.openCount)),
    table.seated_at != null && words.seatedFor(minutesSince(table.seated_at, now)),
    spot.covers !== null && words.covers(spot.covers),
    spot.covers === null && spot.guests > 0 && words.guests(spot.guests),
    spot.joined.length > 0 && words.joinedWith(spot.joined),
    spot.leftCount > 0 && tables.leftCount(spot.leftCount),
    orders.length > 0 && spot.total !== null && formatMoney(spot.total, spot.currency),
  ]
    .filter((each) => each !== false)
    .join(', ');
}

const drawings = {
  /** A fork and a knife. */
  served: 'M7 3v6a2.500 2.500 0 0 0 5 0V3M9.500 3v18M17 3c-2 2-2.500 5-2.500 9H17M17 3v18',
  /** A broom. */
  to_clean: 'M19 3l-7 9M9 10.500l5 4M9 10.500L4 17l6 4 4-6.500M7 14.500l4.500 3.500',
};

/** The icon of a table's state. A table whose guests call has the icon of their wish. Free tables have none. */
function FloorIcon({ state, call }: { state: FloorState; call: TableCall | undefined }) {
  if (state === 'wants') return <Icon name={call?.kind === 'bill' ? 'receipt' : 'bell'} size={22} />;
  if (state === 'ready') return <Icon name="waiter" size={22} />;
  if (state === 'paid') return <Icon name="check" size={22} />;
  if (state === 'cooking') return <Icon name="flame" size={22} />;
  if (state === 'ordering') return <LateIcon name="pencil" size={22} />;
  return state in drawings ? <IconPath path={drawings[state as keyof typeof drawings]} size={22} /> : null;
}
