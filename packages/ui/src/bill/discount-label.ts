import type { Bill } from '@comanda/contracts/bills';
import { billMessages } from './messages.ts';

/** Returns a discount's own label, or says whether it is for a dish or for the whole bill. */
export function discountLabel({ label, line_id: lineId }: Bill['discounts'][number], { lines }: Bill): string {
  const words = billMessages();
  const dish = lines.find(({ id }) => id === lineId)?.name;
  return label ?? (dish === undefined ? words.discount : words.discountOf(dish));
}
