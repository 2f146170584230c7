/**
 * Runs in the page. Returns how many tickets are completely visible, and which fraction of the board's area is empty (0 to 1).
 */
export function emptyShare(): { tickets: number; empty: number } {
  const main = document.querySelector('.board-main')?.getBoundingClientRect() ?? new DOMRect();
  const heightOf = (element: Element): number => element.getBoundingClientRect().height;
  const filled = [...document.querySelectorAll('.board-slot .ticket')].map((card) => {
    const list = card.querySelector('.ticket-items');
    const items = [...card.querySelectorAll('.ticket-item')].reduce((sum, item) => sum + heightOf(item), 0);
    const blank = list ? heightOf(list) - items : 0;
    return card.getBoundingClientRect().width * (heightOf(card) - blank);
  });
  // Only the last part of a divided ticket has the Bump button, and only the first has the button for more actions.
  const idsWith = (part: string): (string | undefined)[] =>
    [...document.querySelectorAll<HTMLElement>(`[data-order]:has(${part})`)].map((slot) => slot.dataset['order']);
  const started = idsWith('button.ticket-position');
  return {
    tickets: idsWith('.ticket-bump').filter((id) => started.includes(id)).length,
    empty: 1 - filled.reduce((sum, area) => sum + area, 0) / (main.width * main.height),
  };
}
