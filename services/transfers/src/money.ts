/** An exact amount in minor units (cents), never a float. */
export type Minor = bigint;

const maxMinor = 2n ** 63n - 1n;

/**
 * Returns `balance + amount`.
 * @throws RangeError if the sum needs more than 64 bits, because MongoDB would store a different number
 */
export function addMinor(balance: Minor, amount: Minor): Minor {
  const sum = balance + amount;
  if (sum > maxMinor || sum < -maxMinor) throw new RangeError('a balance needs more than 64 bits');
  return sum;
}
