import { formatMoney } from '@comanda/ui/format.ts';

/** `R$`. */
export const currencySign = (currency: string): string => formatMoney('0', currency).replaceAll(/[\d.,\s]/gu, '');
