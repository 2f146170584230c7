import { billAmounts } from '@comanda/contracts/bill-amounts';
import { billStateOf } from '@comanda/contracts/bill-preview';
import { fromMinor } from '@comanda/contracts/money';
import type { Bill } from '@comanda/contracts/bills';

/**
 * Returns what a bill's discounts, or its declined service charge, amount to with everything ordered since. The list of
 * exceptions has only the amount at the time, which may be almost nothing before the first dish. Null for other kinds, and if the
 * charge was restored or the bill was merged.
 */
export function takesNow(kind: string, bill: Bill): string | null {
  if (bill.status === 'merged') return null;
  if (kind === 'discount') return bill.discount_total;
  if (kind !== 'service_charge_declined' || bill.service_charge.included) return null;
  const state = billStateOf(bill);
  const included = { ...state.serviceCharge, included: true };
  return fromMinor(billAmounts({ ...state, serviceCharge: included }).serviceCharge);
}
