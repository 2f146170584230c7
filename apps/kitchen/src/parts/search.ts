/** Without accents and case: "pao" finds "Pão". */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase();

/** Whether the text has every word of the search. */
export const matches = (text: string, search: string): boolean =>
  plain(search)
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => plain(text).includes(word));
