/** The text without accents and case: "pao" finds "Pão". */
export const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase();

/** Whether the text has every word of the search. */
export function matches(text: string, search: string): boolean {
  const searched = plain(text);
  return plain(search)
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => searched.includes(word));
}

/**
 * How well a name fits a search, from 0, the best: words of the name start with those of the search; the name contains
 * them; only `other` text, such as the e-mail, does. Null if neither contains them all.
 */
export function rankOf({ name, other }: { name: string; other: string }, search: string): number | null {
  const words = plain(name).split(/[^\p{Letter}\p{Number}]+/u);
  const begins = plain(search)
    .split(/\s+/)
    .filter(Boolean)
    .every((part) => words.some((word) => word.startsWith(part)));
  if (begins) return 0;
  if (matches(name, search)) return 1;
  return matches(`${name} ${other}`, search) ? 2 : null;
}

/** Joins lines that were typed or pasted into a box of several lines, for a field of one line. */
export const inOneLine = (text: string): string => text.replaceAll(/\s*[\r\n]\s*/g, ' ');
