import { useState } from 'preact/hooks';
import type { Action } from '../device/keys.ts';
import type { BoardSession } from './board-session.ts';
import type { BoardCard } from './card.ts';
import type { DrawerName } from './drawers.tsx';
import { neighbour, type Arrow } from './neighbour.ts';
import { useBoardKeys } from './use-board-keys.ts';
import type { Layout } from './use-layout.ts';

type Options = {
  session: BoardSession;
  layout: Pick<Layout, 'page' | 'ids' | 'turnPage'>;
  drawer: DrawerName | null;
  setDrawer: (name: DrawerName | null) => void;
  onTurn: (id: number) => void;
};

const isArrow = (action: Action): action is Arrow => ['left', 'right', 'up', 'down'].includes(action);

/** The ticket that the bump bar acts on: returns its id. */
export function useChosen({ session, layout, drawer, setDrawer, onTurn }: Options): number | null {
  const { page, ids, turnPage } = layout;
  const { board } = session;
  const [chosenId, setChosenId] = useState<number | null>(null);
  const chosen =
    chosenId !== null && ids.includes(chosenId)
      ? board.cards.value.find(({ ticket }) => ticket.id === chosenId)
      : undefined;
  useBoardKeys(session.device.keys, (action) => {
    session.touch();
    const digit = /^card_(\d+)$/.exec(action)?.[1];
    if (digit !== undefined) setChosenId(ids[Number(digit) - 1] ?? null);
    else if (isArrow(action)) setChosenId(neighbour(page, chosen?.ticket.id, action));
    else if (action === 'next_page' || action === 'previous_page') turnPage(action === 'next_page' ? 1 : -1);
    else if (action === 'recall' || action === 'all_day') setDrawer(drawer === action ? null : action);
    else if (action === 'close') {
      if (drawer === null) setChosenId(null);
      else setDrawer(null);
    } else if (chosen) actOn(chosen, action);
  });
  function actOn({ ticket, look }: BoardCard, action: Action): void {
    if (action === 'more') onTurn(ticket.id);
    else if (look === 'cancelled' && action === 'bump') board.readChanges(ticket.id);
    else if (look !== 'cancelled' && action === 'bump') board.bumpTicket(ticket.id);
    else if (action === 'item') {
      const item = ticket.items.find(({ status }) => status === 'received' || status === 'preparing');
      if (item) board.bumpItem(ticket.id, item.id);
    }
  }
  return chosenId;
}
