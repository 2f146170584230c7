import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { zoomOf } from '@comanda/ui/zoom.ts';
import type { BoardCard } from './card.ts';
import { holdMs, onlyAdds, type Page } from './layout.ts';
import { usePointer } from './use-pointer.ts';

const maxHoldMs = 2_000;
const moveMs = 180;

const idOf = ({ ticket }: BoardCard): number => ticket.id;
type Options = {
  fresh: readonly Page<BoardCard>[];
  pageAt: number;
  /** Everything other than tickets that affects the layout. When this changes, the new layout is shown immediately. */
  geometry: string;
  container: RefObject<HTMLElement | null>;
};

/**
 * Keeps the displayed page steady. A new layout that only adds cards is shown immediately. Any other is shown after a pause, with
 * animated moves.
 */
export function useSteadyLayout({ fresh, pageAt, geometry, container }: Options): Page<BoardCard> {
  const next = fresh[pageAt] ?? noPage;
  const [held, setHeld] = useState({ page: next, geometry });
  const pointer = usePointer();
  const rectsRef = useRef<Map<string, DOMRect> | null>(null);
  const isTaken = held.geometry !== geometry || onlyAdds(held.page, next, idOf);

  useLayoutEffect(() => {
    if (rectsRef.current) animate(container.current, rectsRef.current);
    rectsRef.current = null;
  });
  useLayoutEffect(() => {
    if (isTaken && (held.geometry !== geometry || held.page.length !== next.length)) setHeld({ page: next, geometry });
  }, [isTaken, held, next, geometry]);
  useEffect(() => {
    if (isTaken) return undefined;
    const since = performance.now();
    let timer: ReturnType<typeof setTimeout>;
    const check = (): void => {
      const now = performance.now();
      const restsSince = Math.max(since, pointer.current.isDown ? now : pointer.current.upAt);
      const due = Math.min(restsSince + holdMs, since + maxHoldMs);
      if (now < due) {
        timer = setTimeout(check, due - now);
        return;
      }
      rectsRef.current = rectsIn(container.current);
      // After this, any new layout only adds to an empty page, so it is shown immediately.
      setHeld((last) => ({ ...last, page: noPage }));
    };
    check();
    return () => clearTimeout(timer);
  }, [isTaken, container, pointer]);
  return isTaken ? next : held.page;
}

const noPage: Page<BoardCard> = [];
const slotsIn = (element: HTMLElement | null): HTMLElement[] => [
  ...(element?.querySelectorAll<HTMLElement>('[data-slot]') ?? []),
];
const rectsIn = (element: HTMLElement | null): Map<string, DOMRect> =>
  new Map(slotsIn(element).map((slot) => [slot.dataset['slot'] ?? '', slot.getBoundingClientRect()]));

/** Animates each card from its previous position to its new one. */
function animate(element: HTMLElement | null, before: ReadonlyMap<string, DOMRect>): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  for (const slot of slotsIn(element)) {
    const from = before.get(slot.dataset['slot'] ?? '');
    const to = slot.getBoundingClientRect();
    if (!from || (from.x === to.x && from.y === to.y)) continue;
    const zoom = zoomOf(slot);
    const transform = `translate(${(from.x - to.x) / zoom}px, ${(from.y - to.y) / zoom}px)`;
    slot.animate([{ transform }, { transform: 'none' }], { duration: moveMs, easing: 'ease-out' });
  }
}
