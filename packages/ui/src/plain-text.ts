/** Returns the text in lower case and without accents, so that a search for "pao" finds "Pão". */
export const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase();

/** Returns true if the text contains every word of the search. */
export function matches(text: string, search: string): boolean {
  const searched = plain(text);
  return plain(search)
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => searched.includes(word));
}

/**
 * Ranks how well a person's name matches a search. Returns 0 if each word of the search starts a word in the name, 1 if the name
 * contains all of them, and 2 if the name and the `other` text (such as the e-mail) together do. Otherwise returns null.
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

/** Replaces line breaks with spaces, so that the text fits a single-line field. */
export const inOneLine = (text: string): string => text.replaceAll(/\s*[\r\n]\s*/g, ' ');
