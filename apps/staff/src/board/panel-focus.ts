/** Returns the buttons in an open drawer or on a ticket's back. The close button comes last. */
function buttonsOf(panel: Element): HTMLElement[] {
  const all = [...panel.querySelectorAll<HTMLElement>('button:not(:disabled), input')];
  return [
    ...all.filter((button) => !button.matches('.drawer-close')),
    ...all.filter((button) => button.matches('.drawer-close')),
  ];
}

/**
 * Moves the focus to the next or previous button in the open panel; to the first one if none has it. Returns false if no panel is
 * open.
 */
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

/** Returns true if a drawer or a ticket's back is open. Enter then selects something there, instead of bumping a ticket. */
export const isChoosing = (): boolean =>
  document.querySelector('.ticket-back, .drawer li button, .drawer input') !== null;

/** Removes the focus from the panel, so that Enter bumps tickets again. */
export function leavePanel(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}
