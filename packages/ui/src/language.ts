import { computed, effect } from '@preact/signals';
import { isolated } from './isolated.ts';
import { onDevice } from './on-device.ts';

export type Language = 'en' | 'pt-BR';

const ofBrowser = (): Language => (navigator.language.toLowerCase().startsWith('pt') ? 'pt-BR' : 'en');

/** The page's language, as selected on this device. By default, the browser's language if it is Portuguese, otherwise English. */
export const language = computed<Language>(() => onDevice.language.signal.value ?? ofBrowser());
export const chooseLanguage = (chosen: Language): void => onDevice.language.write(chosen);

/** Sets the page's `lang` attribute, now and whenever the language changes. Call it once when the app starts. */
export function applyLanguage(): void {
  effect(() => {
    document.documentElement.lang = language.value;
  });
}

/**
 * Returns a function that returns the messages in the current language. After `const words = messagesOf({ en, 'pt-BR': ptBr })`,
 * use `words().send`. A component that calls this function renders again when the language changes.
 */
export function messagesOf<M>(messages: Record<Language, M>): () => M {
  const made: Partial<Record<Language, M>> = {};
  return () => (made[language.value] ??= withIsolatedNames(messages[language.value]));
}

/** Wraps message functions so that their text arguments, most of which are names, are isolated from the text around them. */
function withIsolatedNames<M>(message: M): M {
  if (typeof message === 'function')
    return ((...given: readonly unknown[]): unknown => message(...given.map(isolatedIn)) as unknown) as M;
  // A `Map` of messages is returned unchanged.
  if (!isPlain(message)) return message;
  return Object.fromEntries(Object.entries(message).map(([name, each]) => [name, withIsolatedNames(each)])) as M;
}
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
const isolatedIn = (given: unknown): unknown =>
  typeof given === 'string' ? isolated(given) : Array.isArray(given) ? given.map(isolatedIn) : given;
