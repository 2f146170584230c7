import { toMinor } from '@comanda/contracts/money';

/**
 * Returns true if `amount` is more than `balance`, which may be negative. Both are decimal strings as in the API, such as
 * `12.50`.
 */
export const isMoreThan = (amount: string, balance: string): boolean =>
  balance.startsWith('-') || toMinor(amount) > toMinor(balance);
