import type { Who } from '@comanda/client/core';
import type { Bill } from '@comanda/contracts/bills';
import type { TableCall } from '@comanda/contracts/calls';
import type { Order } from '@comanda/contracts/order';
import type { Table } from '@comanda/contracts/tables';
import { minutesAgo, nextOrder, quietAnswers } from '@comanda/testing/stand/data';
import { never, type State, type Successive } from '@comanda/testing/stand/state';

export const waiter: Who = { userId: 2, role: 'waiter', name: 'Wagner' };
export const manager: Who = { userId: 1, role: 'manager', name: 'Marta' };
type More = Partial<State> & { orders?: readonly Order[]; bills?: readonly Bill[]; tables?: readonly Table[] };

/** Returns the state with a signed-in staff member. */
export const onDuty = ({ who = waiter, orders = [], bills = [], tables = [], answers, ...more }: More = {}): State => ({
  who,
  ...more,
  answers: {
    ...quietAnswers,
    me: never,
    listOrders: [...orders],
    listBills: [...bills],
    listStations: [],
    listTables: [...tables],
    markSeen: never,
    reportScreen: never,
    ...answers,
  },
});
/** Returns the state after a staff member has started a shift, so that the board is open. */
export const onShift = (more: More = {}): State => {
  const state = onDuty(more);
  return { ...state, tab: { 'comanda.kitchen.shift': String(state.who?.userId), ...state.tab } };
};

/** Returns the responses to successive calls that change an order (see `nextOrder`). */
export function changesOf(order: Order, ...steps: Parameters<typeof nextOrder>[1][]): Successive<Order> {
  const turns: Order[] = [];
  for (const to of steps) turns.push(nextOrder(turns.at(-1) ?? order, to));
  return { turns };
}
/** Returns the order after a screen has shown it at this time, at a station or at all of them. */
export const withSeen = (order: Order, seen_at: string, at?: string): Order => ({
  ...order,
  seen_at,
  stations: (order.stations ?? []).map((each) =>
    at === undefined || each.station === at ? { ...each, seen_at } : each,
  ),
});
/** Returns the order after its allergies were confirmed at all stations. */
export function withAllergiesRead(order: Order): Order {
  const allergies_read_at = minutesAgo(0);
  const stations = (order.stations ?? []).map((each) => ({ ...each, allergies_read_at }));
  return { ...order, version: order.version + 1, allergies_read_at, stations };
}

/** Creates a table with the guests of this seating; a free table if there is none. */
export const newTable = (table: string, seating: number | null = null, differs: Partial<Table> = {}): Table => ({
  table,
  status: seating === null ? 'free' : 'seated',
  seating,
  seated_at: seating === null ? null : minutesAgo(30),
  version: 1,
  table_token: `token-${table}`,
  url: `http://localhost:3000/?table=token-${table}`,
  rotated_at: minutesAgo(6_000),
  ...differs,
});
/** Creates a call by the guests at table 12. */
export const newCall = (differs: Partial<TableCall> = {}): TableCall => ({
  id: 51,
  kind: 'waiter',
  note: null,
  method: null,
  table: '12',
  seating: 88,
  status: 'open',
  version: 1,
  placed_by: { id: 7, role: 'customer' },
  taken_by: null,
  created_at: minutesAgo(1),
  taken_at: null,
  done_at: null,
  ...differs,
});
