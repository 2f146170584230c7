import type { Arrow } from './neighbour.ts';

const partsOf = (orderId: number): Element[] => [...document.querySelectorAll(`[data-order="${orderId}"] .ticket`)];
const scrolledMain = (): Element | null => document.querySelector('.board-scrolled .board-main');

/** Scrolls the selected card into view, on a phone where the cards scroll. */
export function showChosen(orderId: number): void {
  if (scrolledMain()) partsOf(orderId)[0]?.scrollIntoView({ block: 'nearest' });
}

/**
 * Scrolls within a ticket that is higher than its slot, for people who use only keys. Returns false if there is nothing more in
 * that direction.
 */
export function scrollChosen(orderId: number, arrow: Arrow): boolean {
  if (arrow !== 'up' && arrow !== 'down') return false;
  const by = arrow === 'up' ? -1 : 1;
  const main = scrolledMain();
  const parts = partsOf(orderId);
  if (main) return parts.some((card) => isBeyond(card, main, by) && scroll(main, by));
  const cut = parts.filter((part) => part.querySelector('.ticket-scrolled'));
  return (by > 0 ? cut : [...cut].reverse()).some((part) => scroll(part, by));
}

function isBeyond(card: Element, main: Element, by: 1 | -1): boolean {
  const [inner, outer] = [card.getBoundingClientRect(), main.getBoundingClientRect()];
  return by > 0 ? inner.bottom > outer.bottom : inner.top < outer.top;
}

/** Scrolls by half the visible height, because the card's header and footer cover the rest. */
function scroll(element: Element, by: 1 | -1): boolean {
  const before = element.scrollTop;
  element.scrollBy({ top: (by * element.clientHeight) / 2, behavior: 'instant' });
  return Math.abs(element.scrollTop - before) >= 1;
}
