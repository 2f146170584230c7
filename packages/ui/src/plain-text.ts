/** Without accents and case: "pao" finds "Pão". */
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
