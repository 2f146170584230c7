import { goTo } from '../address.ts';
import { clashesOf } from './allergies.tsx';
import type { WaiterSession } from './waiter-session.ts';

/** What is known about the table that an order is for. A restaurant may work without a list of tables. */
export function placeOf({ tables }: WaiterSession, name: string) {
  const known = tables.tables.value.find(({ table }) => table === name);
  return {
    isUnknown: !known && tables.tables.value.length > 0,
    /** True if the order opens the table. */
    isFree: known !== undefined && known.seating === null,
    seating: known?.seating ?? null,
  };
}

/** Returns the dishes of the draft as the menu describes them. */
export function draftDishes({ menu, draft }: WaiterSession) {
  const { lines } = draft.draft.value;
  return (menu.dishes.value ?? []).filter(({ id }) => lines.some(({ dishId }) => dishId === id));
}

/** Returns true if the waiter must read something before the order is sent: a clash with an allergy, or an unknown table. */
export const needsReview = (session: WaiterSession, table: string): boolean =>
  placeOf(session, table).isUnknown || clashesOf(draftDishes(session), session.draft.draft.value.allergies).length > 0;

/** Sends the draft, and opens the table's page. */
export function sendDraft(session: WaiterSession, table: string): void {
  const { draft, unsentOrders, recentDishes } = session;
  const { lines, allergies } = draft.draft.value;
  unsentOrders.add({ table, seating: placeOf(session, table).seating, lines, allergies });
  recentDishes.add(lines.map(({ dishId }) => dishId));
  draft.clear();
  goTo(`#/waiter/tables/${table}`);
}
