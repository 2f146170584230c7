import { computed, signal } from '@preact/signals';
import { language } from './language.ts';

/**
 * Creates the text that screen readers read next, without interrupting. It is empty after a language change, because it was
 * already read.
 */
export function createAnnouncer() {
  const said = signal({ text: '', lang: language.peek() });
  const announcement = computed(() => (said.value.lang === language.value ? said.value.text : ''));
  function announce(text: string): void {
    // Screen readers only read changed text. A no-break space makes a repeated text different.
    said.value = { text: announcement.peek() === text ? `${text}\u00a0` : text, lang: language.peek() };
  }
  return { announcement, announce };
}
