import { effect, signal } from '@preact/signals';
import { isolated } from './isolated.ts';
import { readSetting, writeSetting } from './stored-setting.ts';

export type Language = 'en' | 'pt-BR';

const isLanguage = (value: string | null): value is Language => value === 'en' || value === 'pt-BR';
function initialLanguage(): Language {
  const stored = readSetting('language');
  if (isLanguage(stored)) return stored;
  return navigator.language.toLowerCase().startsWith('pt') ? 'pt-BR' : 'en';
}

/** The page's language, which the user has selected on this device. By default, the browser's language. */
export const language = signal<Language>(initialLanguage());

export function chooseLanguage(chosen: Language): void {
  language.value = chosen;
  writeSetting('language', chosen);
}

/** Sets the page's `lang` attribute, now and when the language changes. The app calls this once at its start. */
export function applyLanguage(): void {
  effect(() => {
    document.documentElement.lang = language.value;
  });
}

/**
 * Returns a function for the messages in the current language: first `const words = messagesOf({ en, 'pt-BR': ptBr })`, then
 * `words().send`. Components that call it render again when the language changes.
 */
export function messagesOf<M>(messages: Record<Language, M>): () => M {
  const made: Partial<Record<Language, M>> = {};
  return () => (made[language.value] ??= withIsolatedNames(messages[language.value]));
}

/** Wraps messages so that their text arguments are isolated, because most of these are names that users have entered. */
function withIsolatedNames<M>(message: M): M {
  if (typeof message === 'function')
    return ((...given: readonly unknown[]): unknown => message(...given.map(isolatedIn)) as unknown) as M;
  // A `Map` of messages has a message for each key, and stays unchanged.
  if (!isPlain(message)) return message;
  return Object.fromEntries(Object.entries(message).map(([name, each]) => [name, withIsolatedNames(each)])) as M;
}
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
const isolatedIn = (given: unknown): unknown =>
  typeof given === 'string' ? isolated(given) : Array.isArray(given) ? given.map(isolatedIn) : given;
