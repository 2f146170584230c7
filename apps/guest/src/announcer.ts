import { computed, signal } from '@preact/signals';
import { language } from '@comanda/ui/language.ts';

/** The text that screen readers read next, politely. In another language there is nothing to read: it was read before. */
export function createAnnouncer() {
  const said = signal({ text: '', lang: language.peek() });
  const announcement = computed(() => (said.value.lang === language.value ? said.value.text : ''));
  function announce(text: string): void {
    // The same text twice is no change, and would not be read.
    said.value = { text: announcement.peek() === text ? `${text}\u00a0` : text, lang: language.peek() };
  }
  return { announcement, announce };
}
