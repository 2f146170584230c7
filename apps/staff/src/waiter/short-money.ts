import { formatMoney } from '@comanda/ui/format.ts';

/** Formats an amount for a narrow place: `R$ 62` for 62.00, and without cents from 1,000.00 on. */
export function shortMoney(amount: string, currency: string): string {
  const isLarge = Math.abs(Number(amount)) >= 1_000;
  return formatMoney(isLarge ? Math.round(Number(amount)).toFixed(2) : amount, currency).replace(/[.,]00$/u, '');
}
