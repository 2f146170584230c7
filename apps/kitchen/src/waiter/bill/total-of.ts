import { amountOfMinor, minorOf } from '@comanda/contracts/bill-preview';

/** What the guest hands over: the part and the tip. */
export const totalOf = ({ amount, tip }: { amount: string; tip: string }): string =>
  amountOfMinor(minorOf(amount) + minorOf(tip));
