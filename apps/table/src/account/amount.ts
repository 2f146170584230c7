const inCents = (amount: string): bigint => {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(2, '0'));
};
/** Whether `amount` is more than `balance`; both as the API writes them. */
export const isMoreThan = (amount: string, balance: string): boolean => inCents(amount) > inCents(balance);
