import type { LiveItem } from '@comanda/client/core';

/** Returns the text by which staff find a dish: the restaurant's name for it, and the names that guests read on the phone. */
export const searchTextOf = ({ name, category, name_translations: names = {} }: LiveItem): string =>
  [name, category ?? '', ...Object.values(names)].join(' ');
