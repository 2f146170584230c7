/** Removes accents and case, so that a search for "pao" finds "Pão". */
export const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase();

/** Returns true if the text contains every word in the search. */
export function matches(text: string, search: string): boolean {
  const searched = plain(text);
  return plain(search)
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => searched.includes(word));
}

/**
 * Ranks how well a name matches a search. The rank is 0 if words in the name start with those in the search, and 1 if the name
 * contains them. It is 2 if the name and `other` text, such as the e-mail, contain them together. Otherwise null.
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

/** Joins the lines of a multi-line text, for a field with a single line. */
export const inOneLine = (text: string): string => text.replaceAll(/\s*[\r\n]\s*/g, ' ');
