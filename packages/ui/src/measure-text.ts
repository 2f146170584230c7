import type { Bill } from '@comanda/contracts/bills';
import { formatMoney, formatWeight } from './format.ts';

type Weighed = Pick<Bill['lines'][number], 'measure'>;
/** Returns a dish's weight and its price for a kilogram: `0.432 kg × R$ 79.90`. Null if it wasn't weighed. */
export const measureText = ({ measure }: Weighed, currency: string): string | null =>
  typeof measure === 'object' && measure
    ? `${formatWeight(measure.value)} kg × ${formatMoney(measure.price, currency)}`
    : null;
