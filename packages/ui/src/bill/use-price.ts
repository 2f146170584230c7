import { useState } from 'preact/hooks';

/**
 * The former price of this selection, if its price has changed since it was made; otherwise null. Other guests pay and
 * order at the same time.
 */
export function usePrice(choice: unknown, amount: string | null): string | null {
  const [first, setFirst] = useState({ choice, amount });
  if (first.choice !== choice || first.amount === null) {
    if (first.choice !== choice || amount !== null) setFirst({ choice, amount });
    return null;
  }
  return amount !== null && amount !== first.amount ? first.amount : null;
}
