import { formatMoney } from '@comanda/ui/format.ts';

/** Returns a currency's sign, such as `R$`. */
export const currencySign = (currency: string): string => formatMoney('0', currency).replaceAll(/[\d.,\s]/gu, '');
/** Formats an amount without the currency, for example as `74,00` in Portuguese, for columns with the sign in their header. */
export const formatAmount = (amount: string, currency: string): string =>
  formatMoney(amount, currency).replace(currencySign(currency), '').trim();
