/** The buttons of what is open: of a drawer, or of the back of a ticket. The one that closes it comes last. */
function buttonsOf(panel: Element): HTMLElement[] {
  const all = [...panel.querySelectorAll<HTMLElement>('button:not(:disabled), input')];
  return [
    ...all.filter((button) => !button.matches('.drawer-close')),
    ...all.filter((button) => button.matches('.drawer-close')),
  ];
}

/** Moves the focus to the next button of the open panel or the one before it: the first if none has it. Returns false if nothing is open. */
export function moveFocus(by: 1 | -1): boolean {
  const panel = document.querySelector('.drawer') ?? document.querySelector('.ticket-back');
  if (!panel) return false;
  const buttons = buttonsOf(panel);
  const at = buttons.findIndex((button) => button === document.activeElement);
  const next = buttons[at < 0 ? 0 : (at + by + buttons.length) % buttons.length];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return true;
}

/** Whether the back of a ticket or a drawer is open in which Enter chooses something: the tickets wait. */
export const isChoosing = (): boolean =>
  document.querySelector('.ticket-back, .drawer li button, .drawer input') !== null;

/** Enter is the bump bar's again. */
export function leavePanel(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}
