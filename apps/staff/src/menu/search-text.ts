import type { LiveItem } from '@comanda/client';

/** By what staff find a dish: what the restaurant calls it, and what a guest reads on the phone. */
export const searchTextOf = ({ name, category, name_translations: names = {} }: LiveItem): string =>
  [name, category ?? '', ...Object.values(names)].join(' ');
