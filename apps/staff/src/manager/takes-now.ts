import { billAmounts } from '@comanda/contracts/bill-amounts';
import { billStateOf } from '@comanda/contracts/bill-preview';
import { fromMinor } from '@comanda/contracts/money';
import type { Bill } from '@comanda/contracts/bills';

/**
 * What the discounts of a bill, or its declined service charge, come to with all that was ordered since: the list of exceptions
 * has what each took when it was given, which may be next to nothing before the first dish. Null for every other kind, and once
 * the bill has the service charge again or was merged.
 */
export function takesNow(kind: string, bill: Bill): string | null {
  if (bill.status === 'merged') return null;
  if (kind === 'discount') return bill.discount_total;
  if (kind !== 'service_charge_declined' || bill.service_charge.included) return null;
  const state = billStateOf(bill);
  const included = { ...state.serviceCharge, included: true };
  return fromMinor(billAmounts({ ...state, serviceCharge: included }).serviceCharge);
}
