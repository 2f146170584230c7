import { effect, signal } from '@preact/signals';
import { readSetting, writeSetting } from './stored-setting.ts';

export type Language = 'en' | 'pt-BR';

const isLanguage = (value: string | null): value is Language => value === 'en' || value === 'pt-BR';
function initialLanguage(): Language {
  const stored = readSetting('language');
  if (isLanguage(stored)) return stored;
  return navigator.language.toLowerCase().startsWith('pt') ? 'pt-BR' : 'en';
}

/** The language of the page: what the user chose on this device, else the browser's. */
export const language = signal<Language>(initialLanguage());

export function chooseLanguage(chosen: Language): void {
  language.value = chosen;
  writeSetting('language', chosen);
}

/** Gives the page the `lang` of its language. Called once, when the app starts. */
export function applyLanguage(): void {
  effect(() => {
    document.documentElement.lang = language.value;
  });
}

/**
 * The messages of the current language: `const words = messagesOf({ en, 'pt-BR': ptBr })`, then `words().send`. Whatever
 * renders with it is rendered again when the language changes.
 */
export const messagesOf =
  <M>(messages: Record<Language, M>): (() => M) =>
  () =>
    messages[language.value];
