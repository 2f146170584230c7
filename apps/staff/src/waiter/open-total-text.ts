import { formatMoney } from '@comanda/ui/format.ts';

/** Returns the amount that is still owed; "…" until it is known. */
export const openTotalText = (total: string | null, currency: string): string =>
  total === null ? '…' : formatMoney(total, currency);
