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

/** The language of the page: the user's choice on this device, otherwise the browser's. */
export const language = signal<Language>(initialLanguage());

export function chooseLanguage(chosen: Language): void {
  language.value = chosen;
  writeSetting('language', chosen);
}

/** Sets the page's `lang` to its language. Called once, when the app starts. */
export function applyLanguage(): void {
  effect(() => {
    document.documentElement.lang = language.value;
  });
}

/**
 * The messages of the current language: `const words = messagesOf({ en, 'pt-BR': ptBr })`, then `words().send`.
 * Components that use it render again when the language changes.
 */
export function messagesOf<M>(messages: Record<Language, M>): () => M {
  const made: Partial<Record<Language, M>> = {};
  return () => (made[language.value] ??= withIsolatedNames(messages[language.value]));
}

/** The same messages, but each isolates its text arguments: most are names that users typed. */
function withIsolatedNames<M>(message: M): M {
  if (typeof message === 'function')
    return ((...given: readonly unknown[]): unknown => message(...given.map(isolatedIn)) as unknown) as M;
  // A `Map` of messages has one for each of its keys.
  if (!isPlain(message)) return message;
  return Object.fromEntries(Object.entries(message).map(([name, each]) => [name, withIsolatedNames(each)])) as M;
}
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
const isolatedIn = (given: unknown): unknown =>
  typeof given === 'string' ? isolated(given) : Array.isArray(given) ? given.map(isolatedIn) : given;
