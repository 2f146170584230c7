import type { Action } from '../device/keys.ts';
import type { BoardCard } from './card.ts';
import type { Card, Page } from './layout.ts';

export type Arrow = 'left' | 'right' | 'up' | 'down';
export const isArrow = (action: Action): action is Arrow => ['left', 'right', 'up', 'down'].includes(action);

/**
 * Returns the id of the ticket next to the selected one, in the arrow's direction. If there is none, the selection stays; if
 * nothing is selected, the first ticket is.
 */
export function neighbour(page: Page<BoardCard>, chosenId: number | undefined, arrow: Arrow): number | null {
  const starts = page.filter(({ from }) => from === 0);
  const chosen = starts.find(({ ticket }) => ticket.ticket.id === chosenId);
  if (!chosen) return starts[0]?.ticket.ticket.id ?? null;
  const at = starts.indexOf(chosen);
  if (arrow === 'up' || arrow === 'down')
    return starts[at + (arrow === 'up' ? -1 : 1)]?.ticket.ticket.id ?? chosen.ticket.ticket.id;
  const isThere = ({ column }: Card<BoardCard>): boolean =>
    arrow === 'left' ? column < chosen.column : column > chosen.column;
  const distance = ({ column, top }: Card<BoardCard>): number =>
    Math.abs(column - chosen.column) * 100_000 + Math.abs(top - chosen.top);
  const [nearest = chosen] = starts.filter(isThere).sort((a, b) => distance(a) - distance(b));
  return nearest.ticket.ticket.id;
}
