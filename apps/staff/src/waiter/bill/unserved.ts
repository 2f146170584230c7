import type { Bill } from '@comanda/contracts/bills';

/** Returns how many dishes on the bill are still to be served. */
export const unservedOf = ({ lines }: Pick<Bill, 'lines'>): number =>
  lines
    .filter(({ status }) => status !== 'delivered' && status !== 'cancelled')
    .reduce((sum, { quantity }) => sum + quantity, 0);
