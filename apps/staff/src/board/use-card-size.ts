import { useCallback, useEffect, useState } from 'preact/hooks';
import { automaticSize, type CardSize } from '../device/columns.ts';
import type { ChosenSize } from '../device/settings.ts';
import type { BoardCard } from './card.ts';
import { holdMs, type Card, type Page } from './layout.ts';
import { usePointer } from './use-pointer.ts';

type Options = {
  chosen: ChosenSize;
  room: { width: number; height: number };
  ticketCount: number;
  /** True if a ticket was cut off. */
  hasHigh: boolean;
};

/** Returns the cards' size. It changes only while nobody has touched the board for a moment. */
export function useCardSize({ chosen, room: { width, height }, ticketCount, hasHigh }: Options): CardSize {
  const [size, setSize] = useState<CardSize | null>(null);
  const pointer = usePointer();
  const fitting = hasHigh ? 'dense' : automaticSize({ width, height, ticketCount }, size ?? 'large');
  const wanted = chosen === 'auto' ? fitting : chosen;
  // On an empty board, the size can change at any time.
  const isFree = size === null || width === 0 || ticketCount === 0;
  useEffect(() => {
    if (size === wanted || width === 0) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const check = (): void => {
      const { isDown, upAt } = pointer.current;
      const restMs = isDown ? 0 : performance.now() - upAt;
      if (isFree || restMs >= holdMs) setSize(wanted);
      else timer = setTimeout(check, holdMs - restMs);
    };
    check();
    return () => clearTimeout(timer);
  }, [size, wanted, width, isFree, pointer]);
  return isFree ? wanted : size;
}

/**
 * Remembers tickets that were cut off in a column, until they leave the board. They may fit into wide columns with small letters,
 * which must not make the cards large or the columns narrow again.
 */
export function useHighTickets(cards: readonly BoardCard[]) {
  const [highIds, setHighIds] = useState<readonly number[]>([]);
  return {
    hasHigh: cards.some(({ ticket }) => highIds.includes(ticket.id)),
    noteCut: useCallback((pages: readonly Page<BoardCard>[]): void => {
      const all = pages.flat();
      const cut = all.filter(({ isCut }) => isCut).map(idOf);
      const isOpen = (id: number): boolean => all.some((card) => idOf(card) === id);
      setHighIds((before) =>
        cut.every((id) => before.includes(id)) ? before : [...new Set([...before.filter(isOpen), ...cut])],
      );
    }, []),
  };
}
const idOf = ({ ticket }: Card<BoardCard>): number => ticket.ticket.id;
