import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Action, Keys } from '../device/keys.ts';
import type { BoardSession } from './board-session.ts';
import type { BoardCard } from './card.ts';
import type { DrawerName } from './drawers.tsx';
import { isArrow, neighbour } from './neighbour.ts';
import { isChoosing, leavePanel, moveFocus } from './panel-focus.ts';
import { scrollChosen, showChosen } from './scroll-chosen.ts';
import { type Layout, showsEnd } from './use-layout.ts';

type BoardKeysProps = {
  session: BoardSession;
  layout: Pick<Layout, 'page' | 'ids' | 'turnPage'>;
  drawer: DrawerName | null;
  turnedId: number | null;
  /** The ticket that the keys act on; null if there is none. */
  chosenId: number | null;
  setDrawer: (name: DrawerName | null) => void;
  onTurn: (id: number | null) => void;
  onChoose: (id: number | null) => void;
};

/** Acts on the bump bar's keys. It shows nothing. */
export function BoardKeys(props: BoardKeysProps): null {
  const { session, layout, drawer, turnedId, chosenId, setDrawer, onTurn, onChoose } = props;
  const { page, ids, turnPage } = layout;
  const { board, done } = session;
  const chosen =
    chosenId !== null && ids.includes(chosenId)
      ? board.cards.value.find(({ ticket }) => ticket.id === chosenId)
      : undefined;
  useEffect(() => {
    if (chosenId !== null) showChosen(chosenId);
  }, [chosenId]);
  useBoardKeys(session.device.keys, (action) => {
    if (!session.isSignedIn()) return;
    session.touch();
    session.device.alert();
    const digit = /^card_(\d+)$/.exec(action)?.[1];
    if (digit !== undefined) onChoose(ids[Number(digit) - 1] ?? null);
    else if (isArrow(action) && moveFocus(action === 'up' || action === 'left' ? -1 : 1)) return;
    else if (isArrow(action) && chosen && scrollChosen(chosen.ticket.id, action)) return;
    else if (isArrow(action)) onChoose(neighbour(page, chosen?.ticket.id, action));
    else if (action === 'next_page' || action === 'previous_page') turnPage(action === 'next_page' ? 1 : -1);
    else if (action === 'recall' || action === 'all_day' || action === 'sold_out') {
      leavePanel();
      setDrawer(drawer === action ? null : action);
    } else if (action === 'undo') undo();
    else if (action === 'close') close();
    else if (chosen) actOn(chosen, action);
  });
  function undo(): void {
    const bump = done.undoable.value?.bump;
    if (bump) board.undo(bump);
  }
  /** Closes the drawer, else the back of a ticket, else the message. If none is open, clears the selection. */
  function close(): void {
    leavePanel();
    if (drawer !== null) setDrawer(null);
    else if (turnedId !== null) onTurn(null);
    else if (session.notice.value) session.closeNotice();
    else onChoose(null);
  }
  function actOn({ ticket, look, changes, allergiesReadAtMs }: BoardCard, action: Action): void {
    if (action === 'more') {
      leavePanel();
      onTurn(turnedId === ticket.id ? null : ticket.id);
    } else if (action === 'read') {
      if (ticket.allergies !== null && allergiesReadAtMs === null) board.readAllergies(ticket.id);
      else if (changes.length > 0) board.readChanges(ticket.id);
    } else if (isChoosing()) return;
    // A ticket is bumped where its last dishes are shown.
    else if (action === 'bump' && !showsEnd(page, ticket.id)) turnPage(1);
    else if (look === 'cancelled' && action === 'bump') board.readChanges(ticket.id);
    else if (look !== 'cancelled' && action === 'bump') board.bumpTicket(ticket.id);
    else if (action === 'item') {
      const item = ticket.items.find(({ status }) => status === 'received' || status === 'preparing');
      if (item) board.bumpItem(ticket.id, item.id);
    }
  }
  return null;
}

/**
 * Calls `act` for each key on the bump bar, and repeatedly while an arrow key is held. Enter and Space on a focused button press
 * that button instead.
 */
function useBoardKeys({ actionOf }: Keys, act: (action: Action) => void): void {
  // A bump bar may send a key before the next frame is painted. A ref makes each key see what the previous one has selected.
  const actRef = useRef(act);
  useLayoutEffect(() => {
    actRef.current = act;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { target, key } = event;
      const action = actionOf(key);
      if (event.ctrlKey || event.metaKey || event.altKey || action === undefined) return;
      const isIn = (selector: string): boolean => target instanceof HTMLElement && target.closest(selector) !== null;
      // A bump bar has no Tab key, so its arrow and close keys also leave a field in a drawer.
      const isLeaving = isIn('.drawer') && key.length > 1 && /^(up|down|close)$/.test(action);
      if (isIn('input, textarea, select') && !isLeaving) return;
      const isHeld = event.repeat && !isArrow(action);
      if (!isHeld && isIn('button, a') && (key === 'Enter' || key === ' ')) return;
      event.preventDefault();
      if (!isHeld) actRef.current(action);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [actionOf]);
}
