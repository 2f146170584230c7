import { formatMoney } from '@comanda/ui/format.ts';

/** What is still owed; "…" while that is being read. */
export const openTotalText = (total: string | null, currency: string): string =>
  total === null ? '…' : formatMoney(total, currency);
