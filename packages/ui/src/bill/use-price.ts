import { useState } from 'preact/hooks';

/**
 * Returns the earlier price if the price has changed since the user made the selection, otherwise null. Prices can change because
 * other guests pay and order at the same time.
 */
export function usePrice(choice: unknown, amount: string | null): string | null {
  const [first, setFirst] = useState({ choice, amount });
  if (first.choice !== choice || first.amount === null) {
    if (first.choice !== choice || amount !== null) setFirst({ choice, amount });
    return null;
  }
  return amount !== null && amount !== first.amount ? first.amount : null;
}
