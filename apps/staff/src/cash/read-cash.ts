import { readAmount } from '@comanda/ui/read-amount.ts';

/** Converts entered cash to the API's format, like `readAmount`, but accepts zero: a cash drawer may be empty. */
export const readCash = (typed: string): string | null =>
  /^0+([.,]0{1,2})?$/.test(typed.trim()) ? '0.00' : readAmount(typed);
