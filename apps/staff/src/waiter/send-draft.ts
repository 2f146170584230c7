import { goTo } from '../address.ts';
import { contentsOf, doubtsOf } from './allergies.tsx';
import { isOld } from './draft.ts';
import { troubleOf } from './line-trouble.ts';
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

/**
 * Returns the table of a draft that was begun for other guests than those who sit at this table now: at another table, or here
 * before they left. Null if there is none. A draft for a free table belongs to the guests who have sat down since.
 */
export function otherDraftTable(session: WaiterSession, table: string | null): string | null {
  const draft = session.draft.draft.value;
  if (draft.lines.length === 0 || draft.table === null || isOld(draft)) return null;
  if (draft.table !== table) return draft.table;
  const isKnown = session.tables.loadedAtMs.value > 0;
  const haveLeft = isKnown && draft.seating != null && draft.seating !== placeOf(session, table).seating;
  return haveLeft ? table : null;
}

/**
 * Returns true if the waiter must read something before the order is sent: a dish that the guest may not eat, a dish or options
 * that are no longer offered, or an unknown table.
 */
export function needsReview(session: WaiterSession, table: string): boolean {
  const { lines, allergies } = session.draft.draft.value;
  const offer = session.offer.offer.value;
  return (
    placeOf(session, table).isUnknown ||
    doubtsOf(contentsOf(lines, offer), allergies).length > 0 ||
    lines.some((line) => troubleOf(line, lines, offer) !== null)
  );
}

/** Sends the draft, and opens the table's page. */
export function sendDraft(session: WaiterSession, table: string): void {
  const { draft, unsentOrders, recentDishes } = session;
  const { lines, allergies } = draft.draft.value;
  if (lines.length === 0) return; // the second tap of a double tap
  unsentOrders.add({ table, seating: placeOf(session, table).seating, lines, allergies });
  recentDishes.add([...new Set(lines.map(({ dishId }) => dishId))]);
  draft.clear();
  goTo(`#/waiter/tables/${table}`);
}
