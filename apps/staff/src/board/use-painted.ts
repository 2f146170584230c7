import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import type { BoardSession } from './board-session.ts';
import { showsEnd, type Layout } from './use-layout.ts';

type Painted = {
  session: BoardSession;
  layout: Pick<Layout, 'page' | 'isScrolled'>;
  main: RefObject<HTMLElement | null>;
};
/** Reports the orders that are on the page with their last dish as seen. On a page that scrolls, an order counts once it has come into view. */
export function usePainted({ session, layout: { page, isScrolled }, main }: Painted): void {
  useEffect(() => {
    if (isScrolled || document.visibilityState === 'hidden') return;
    const ids = page.filter(({ ticket }) => !ticket.ticket.seen).map(({ ticket }) => ticket.ticket.id);
    session.reportPainted([...new Set(ids)].filter((id) => showsEnd(page, id)));
  });
  const { station } = session.device.settings;
  const orders = [station.value, ...page.map(({ ticket }) => ticket.ticket.id)].join();
  useEffect(() => {
    if (!isScrolled) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const visible = entries.filter(({ isIntersecting }) => isIntersecting);
        session.reportPainted(visible.map(({ target }) => Number((target as HTMLElement).dataset['order'])));
      },
      { threshold: 0.5 },
    );
    for (const slot of main.current?.querySelectorAll('[data-order]') ?? []) observer.observe(slot);
    return () => observer.disconnect();
  }, [session, main, isScrolled, orders]);
}
