import { signal } from '@preact/signals';

/** The text that screen readers read next, politely. */
export function createAnnouncer() {
  const announcement = signal('');
  function announce(text: string): void {
    // The same text twice is no change, and would not be read.
    announcement.value = announcement.value === text ? `${text}\u00a0` : text;
  }
  return { announcement, announce };
}
