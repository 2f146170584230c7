import { language } from '@comanda/ui/language.ts';

/** `2 Nov`, or with the year if it is another one. */
export function formatDay(at: string): string {
  const date = new Date(at);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return new Intl.DateTimeFormat(language.value === 'en' ? 'en-GB' : language.value, {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
  }).format(date);
}
