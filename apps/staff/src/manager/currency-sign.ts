import { formatMoney } from '@comanda/ui/format.ts';

/** `R$`. */
export const currencySign = (currency: string): string => formatMoney('0', currency).replaceAll(/[\d.,\s]/gu, '');
/** `74,00` in Portuguese: for columns whose head has the sign. */
export const formatAmount = (amount: string, currency: string): string =>
  formatMoney(amount, currency).replace(currencySign(currency), '').trim();
