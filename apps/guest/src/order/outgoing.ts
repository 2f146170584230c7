import type { Client, Input } from '@comanda/client';
import { hasKeys, stored } from '@comanda/ui/stored-setting.ts';
import type { Seat } from '../seat/seat.ts';
import { toOrder, type Basket, type Line } from './basket.ts';
import type { Orders } from './orders.ts';

/** An order on its way: what was chosen, and the idempotency key that it has until there is an answer. */
export type Outgoing = {
  key: string;
  userId: number;
  table: string;
  /** Absent if its customer sat at no table. */
  seating?: number;
  lines: readonly Line[];
  allergies: string;
  order: Input<'placeOrder'>;
  sum: string;
  /** By the server's clock. */
  at: number;
  /** When it was sent, by this device's clock. Absent if an earlier release stored it. */
  tappedAt?: number;
  /** What this phone had ordered before. Null if nobody knew yet. */
  before?: readonly number[] | null;
};
/** What is not tried any more. An earlier try may have arrived all the same. */
export type Stopped = Outgoing & {
  /** The guest did not stop it: it is old, or for another table. */
  isOld?: boolean;
};

const isOutgoing = hasKeys<Outgoing>('key', 'userId', 'table', 'lines', 'order');
export const storedOutgoing = stored<Outgoing | null>('outgoing', isOutgoing, null);
export const storedStopped = stored<Stopped | null>('stopped', isOutgoing, null);

/** Later, nobody at the table expects it any more. */
const triedForMs = 15 * 60_000;
/** As long as the basket that it is in again. */
const stoppedForMs = 2 * 3600_000;

/** There is one order on its way at most, in all tabs. */
export function createStorage() {
  let lastKey = storedOutgoing.get()?.key;
  return {
    get: (): Outgoing[] => [storedOutgoing.get()].filter((each) => each !== null),
    write: ([first]: readonly Outgoing[]): void => {
      // What another tab has put there since is left alone.
      if (first || storedOutgoing.get()?.key === lastKey) storedOutgoing.write(first ?? null);
      lastKey = storedOutgoing.get()?.key;
    },
    /** Another tab has had the answer, or has stopped it. Never so if the browser keeps nothing. */
    isTakenOut: (key: string): boolean => lastKey === key && storedOutgoing.get()?.key !== key,
  };
}

/** By one clock for both times: this device's may be hours wrong. If it was set in between, nobody knows. */
const ageOf = ({ tappedAt, at }: Outgoing): number => Math.abs(Date.now() - (tappedAt ?? at));
export const isTooOld = (sent: Outgoing): boolean => ageOf(sent) > triedForMs;

/** Staff who move guests keep their seating, and those who join tables keep the tables: then it goes to where they are. */
export function isElsewhere({ table, seating }: Outgoing, { who, table: tableNow }: Seat): boolean {
  const isSameSeating = seating !== undefined && who.value?.seating === seating;
  return tableNow.value !== table && !isSameSeating;
}

/** What was stopped before this page was loaded, unless that is long ago or somebody else's. */
export function readStopped({ isOwn }: Seat): Stopped | null {
  const stopped = storedStopped.get();
  return stopped && isOwn(stopped.userId) && ageOf(stopped) < stoppedForMs ? stopped : null;
}

type Deps = { client: Client; seat: Seat; orders: Orders; basket: Basket; stopped: Stopped | null };
/** The order that is in the basket; null if nothing can be sent. */
export function createOutgoing({ client, seat, orders, basket, stopped }: Deps): Outgoing | null {
  const { userId, seating } = client.who() ?? {};
  const table = seat.table.value;
  const lines = basket.lines.value;
  if (lines.length === 0 || userId === undefined || table === null) return null;
  const allergies = basket.allergies.value;
  const next = {
    key: client.newKey(),
    userId,
    table,
    ...(seating !== undefined && { seating }),
    lines,
    allergies,
    order: toOrder({ lines, allergies, seat }),
    sum: basket.sumOf(lines),
    at: client.now(),
    tappedAt: Date.now(),
    before: orders.isComplete.value ? orders.all.value.filter(orders.isOwn).map(({ id }) => id) : null,
  };
  const isSame =
    stopped !== null &&
    stopped.userId === userId &&
    JSON.stringify(stopped.order) === JSON.stringify(next.order) &&
    !isTooOld(stopped) &&
    !isElsewhere(stopped, seat);
  // With its old key it has one effect, even if an earlier try has arrived or arrives now.
  return isSame ? { ...next, key: stopped.key, at: stopped.at, before: stopped.before ?? null } : next;
}
