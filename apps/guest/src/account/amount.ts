import { toMinor } from '@comanda/contracts/money';

/** Returns true if `amount` is more than `balance`, which may be negative. Both are in the API's form. */
export const isMoreThan = (amount: string, balance: string): boolean =>
  balance.startsWith('-') || toMinor(amount) > toMinor(balance);
