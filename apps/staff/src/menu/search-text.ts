import type { LiveItem } from '@comanda/client/core';

/**
 * Returns the text in which staff search for a dish: the restaurant's own name, and its translations, which guests see on their
 * phones.
 */
export const searchTextOf = ({ name, category, name_translations: names = {} }: LiveItem): string =>
  [name, category ?? '', ...Object.values(names)].join(' ');
