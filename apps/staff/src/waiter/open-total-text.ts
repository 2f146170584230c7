import { formatMoney } from '@comanda/ui/format.ts';

/** Shows what is still owed; "…" while that is loading. */
export const openTotalText = (total: string | null, currency: string): string =>
  total === null ? '…' : formatMoney(total, currency);
