import { signal } from '@preact/signals';

/** What screen readers say next, politely. */
export const announcement = signal('');

export function announce(text: string): void {
  // The same text twice is no change, and nothing would be said.
  announcement.value = announcement.value === text ? `${text}\u00a0` : text;
}
